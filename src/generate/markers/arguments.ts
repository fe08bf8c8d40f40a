import { guessType } from "./guess.ts";
import { type ArgumentType, deepestArgument } from "./model/definition.ts";
import { parseFloat64, parseInteger } from "./model/go-values.ts";
import type { MarkerValue } from "./model/marker-value.ts";
import { scanBareOrQuoted } from "./strings.ts";
import { code, TOKEN, type TokenScanner } from "./token-scanner.ts";

/** The context of the functions that read arguments. */
export interface ArgumentContext {
  readonly scanner: TokenScanner;
  readonly raw: string;
  /** The number of lists and maps around the argument. */
  readonly depth: number;
  /** Receives warnings about values that are read differently than they look. */
  readonly warn: (message: string, offset: number, hint: string) => void;
}

/** Reads one argument of a type. Undefined after an error, which the scanner has recorded. */
export function readArgument(context: ArgumentContext, type: ArgumentType, inList = false): MarkerValue | undefined {
  if (context.depth > deepestArgument) {
    context.scanner.error(`values are nested more than ${deepestArgument} levels deep`);
    return undefined;
  }
  const inner = { ...context, depth: context.depth + 1 };
  switch (type.kind) {
    case "raw":
      return readRaw(context);
    case "number":
      return readNumber(context);
    case "int":
      return readInt(context, type.bits);
    case "string":
      return readString(context, false);
    case "bool":
      return readBool(context);
    case "any":
      return readArgument(context, guessType(context.scanner, context.raw, !inList));
    case "slice":
      return readSlice(inner, type.item);
    case "map":
      return readMap(inner, type.item);
  }
}

/** Reads a token that must be the given one. */
export function expectToken(scanner: TokenScanner, expected: number, description: string): boolean {
  if (scanner.scan() === expected) return true;
  scanner.error(`expected ${description}, got ${JSON.stringify(scanner.tokenText)}`);
  return false;
}

function readRaw({ scanner, raw }: ArgumentContext): string {
  const value = raw.slice(scanner.offset);
  while (scanner.scan() !== TOKEN.end);
  return value;
}

function readSign(scanner: TokenScanner): string {
  if (scanner.peek() !== code("-")) return "";
  scanner.scan();
  return "-";
}

function readNumber({ scanner }: ArgumentContext): number | undefined {
  const sign = readSign(scanner);
  const token = scanner.scan();
  if (token !== TOKEN.float && token !== TOKEN.int) {
    scanner.error(`expected integer or float, got ${JSON.stringify(scanner.tokenText)}`);
    return undefined;
  }
  const value = parseFloat64(sign + scanner.tokenText);
  if (value === undefined) scanner.error(`unable to parse number: ${JSON.stringify(sign + scanner.tokenText)}`);
  return value;
}

function readInt({ scanner, warn }: ArgumentContext, bits?: 32): number | bigint | undefined {
  const sign = readSign(scanner);
  if (!expectToken(scanner, TOKEN.int, "integer")) return undefined;
  const value = parseInteger(sign + scanner.tokenText);
  if (value === undefined) {
    scanner.error(
      `unable to parse integer: ${JSON.stringify(sign + scanner.tokenText)} isn't a decimal 64-bit integer`,
    );
    return undefined;
  }
  const wrapped = bits === 32 ? Number(BigInt.asIntN(32, BigInt(value))) : value;
  if (wrapped !== value) {
    warn(`${value} doesn't fit into 32 bits and becomes ${wrapped}`, scanner.tokenStart, "use a smaller number");
  }
  return wrapped;
}

function readString({ scanner, raw, warn }: ArgumentContext, isKey: boolean): string | undefined {
  const scanned = scanBareOrQuoted(scanner, raw, isKey);
  if (scanned?.lost !== undefined) {
    const message = `${JSON.stringify(scanned.lost)} is lost because of the space before the next delimiter`;
    warn(message, scanned.start, "remove the space, or quote the value");
  }
  // CEL has single quotes as well, but an expression has other text too.
  const quoted = scanned && /^'([^']*)'$/.exec(raw.slice(scanned.start, scanned.start + scanned.value.length))?.[1];
  if (quoted !== undefined && !raw.slice(0, scanned!.start).endsWith("messageExpression=")) {
    const message = `the single quotes are a part of the value ${JSON.stringify(scanned!.value)}`;
    warn(message, scanned!.start, `use double quotes: \`${JSON.stringify(quoted)}\``);
  }
  return scanned?.value;
}

function readBool({ scanner }: ArgumentContext): boolean | undefined {
  if (!expectToken(scanner, TOKEN.identifier, "true or false")) return undefined;
  if (scanner.tokenText === "true") return true;
  if (scanner.tokenText === "false") return false;
  scanner.error(`expected true or false, got ${JSON.stringify(scanner.tokenText)}`);
  return undefined;
}

/** Reads `{a, b}` or `a;b`. Returns null if it has no elements, like a nil slice in Go. */
function readSlice(context: ArgumentContext, item: ArgumentType): readonly MarkerValue[] | null | undefined {
  const { scanner } = context;
  const values: MarkerValue[] = [];
  const readItem = (): boolean => {
    const value = readArgument(context, item, true);
    if (value === undefined) return false;
    values.push(value);
    return true;
  };
  if (scanner.peekPastBlanks() === code("{")) {
    scanner.scan();
    while (!isOneOf(scanner.peekPastBlanks(), "}")) {
      if (!readItem()) return undefined;
      if (scanner.peekPastBlanks() === code("}")) break;
      if (!expectToken(scanner, code(","), "comma")) return undefined;
    }
    if (!expectToken(scanner, code("}"), "close curly brace")) return undefined;
  } else {
    while (!isOneOf(scanner.peekPastBlanks(), ",}")) {
      if (!readItem()) return undefined;
      if (isOneOf(scanner.peekPastBlanks(), ",}")) break;
      if (!expectToken(scanner, code(";"), "comma")) return undefined;
    }
  }
  return values.length === 0 ? null : values;
}

function readMap(context: ArgumentContext, item: ArgumentType): MarkerValue | undefined {
  const { scanner } = context;
  const entries: [string, MarkerValue][] = [];
  if (!expectToken(scanner, code("{"), "open curly brace")) return undefined;
  while (!isOneOf(scanner.peekPastBlanks(), "}")) {
    const key = readString(context, true);
    if (key === undefined || !expectToken(scanner, code(":"), "colon")) return undefined;
    const value = readArgument(context, item);
    if (value === undefined) return undefined;
    entries.push([key, value]);
    if (scanner.peekPastBlanks() === code("}")) break;
    if (!expectToken(scanner, code(","), "comma")) return undefined;
  }
  if (!expectToken(scanner, code("}"), "close curly brace")) return undefined;
  // fromEntries defines own properties, so a key `__proto__` is safe.
  return Object.fromEntries(entries);
}

function isOneOf(next: number, characters: string): boolean {
  return next === TOKEN.end || (next < 0x80 && characters.includes(String.fromCodePoint(next)));
}
