import { type ArgumentType, deepestArgument } from "./model/definition.ts";
import { scanBareOrQuoted } from "./strings.ts";
import { code, TOKEN, TokenScanner } from "./token-scanner.ts";

const STRING: ArgumentType = { kind: "string" };

/**
 * Determines the type of an untyped argument by looking ahead, without advancing `scanner`. A semicolon before the next
 * comma makes the argument a list, unless it is already an element of a list.
 */
export function guessType(scanner: TokenScanner, raw: string, mayBeList: boolean): ArgumentType {
  const rest = raw.slice(scanner.offset);
  const single = guessSingle(rest);
  return mayBeList && hasSemicolon(rest) ? { kind: "slice", item: single } : single;
}

function hasSemicolon(rest: string): boolean {
  const ahead = new TokenScanner(rest, () => {});
  for (;;) {
    const token = ahead.scan();
    if (token === code(";")) return true;
    if (token === code(",") || token === TOKEN.end) return false;
  }
}

function guessSingle(rest: string, depth = 0): ArgumentType {
  let malformed = false;
  const ahead = new TokenScanner(rest, () => {
    malformed = true;
  });
  const first = ahead.peekPastBlanks();
  if (first === code('"') || first === code("'") || first === code("`")) return STRING;
  if (first === code("{")) return guessBraces(ahead, rest, depth + 1);

  let token = ahead.scan();
  if (token === TOKEN.identifier && (ahead.tokenText === "true" || ahead.tokenText === "false")) {
    return { kind: "bool" };
  }
  if (token === code("-")) token = ahead.scan();
  // A number only if a delimiter follows: `100Mi`, `1.2.3`, `2024-01-15` are strings.
  if (!malformed && (token === TOKEN.int || token === TOKEN.float)) {
    const next = ahead.peekPastBlanks();
    if (next === TOKEN.end || next === code(",") || next === code(";") || next === code("}")) {
      return { kind: token === TOKEN.int ? "int" : "number" };
    }
  }
  return STRING;
}

function guessBraces(ahead: TokenScanner, rest: string, depth: number): ArgumentType {
  // Reading the argument fails at the same depth.
  if (depth > deepestArgument) return { kind: "slice", item: STRING };
  ahead.scan();
  const first = ahead.peekPastBlanks();
  const element = guessSingle(rest.slice(ahead.offset), depth);
  if (element.kind === "string") {
    scanBareOrQuoted(ahead, rest, true);
    if (ahead.scan() === code(":") || first === code("}")) return { kind: "map", item: { kind: "any" } };
  }
  return { kind: "slice", item: element };
}
