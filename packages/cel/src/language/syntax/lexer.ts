import type { Issue } from "./issues.ts";

/** A token of an expression. `kind` is its text for operators and keywords, and the name of the grammar's rule otherwise. */
export interface Token {
  kind: string;
  text: string;
  offset: number;
  /** The spaces and comments between the previous token and this one, without characters that start no token. */
  before: string;
}

const patterns: readonly [kind: string, pattern: RegExp][] = [
  ["space", /[\t \r\n\f]+|\/\/[^\n]*/y],
  ["NUM_FLOAT", /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ["NUM_UINT", /0x[0-9a-fA-F]+[uU]|\d+[uU]/y],
  ["NUM_INT", /0x[0-9a-fA-F]+|\d+/y],
  ["IDENTIFIER", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["ESC_IDENTIFIER", /`[A-Za-z0-9_.\-/ ]+`/y],
  ["operator", /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
];

const sequence = String.raw`\\(?:[abfnrtv"'\\?${"`"}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** The start of an escape sequence that isn't complete. */
const partial = String.raw`\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?`;
const text = [
  String.raw`"""(?:${sequence}|[^\\])*?"""`,
  String.raw`'''(?:${sequence}|[^\\])*?'''`,
  String.raw`"(?:${sequence}|[^\\"\n\r])*"`,
  String.raw`'(?:${sequence}|[^\\'\n\r])*'`,
].join("|");
const raw = String.raw`[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`;
const stringPattern = new RegExp(`${raw}|${text}`, "y");
const bytesPattern = new RegExp(`[bB](?:${raw}|${text})`, "y");
const keywords = new Set(["in", "true", "false", "null"]);

/**
 * Splits an expression into tokens.
 *
 * @param source - the expression
 * @param issues - receives characters that start no token
 * @returns the tokens, the last one of kind `<EOF>`; offsets are in code points
 */
export function tokenize(source: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let index = 0;
  let before = "";
  const ascii = /^[\0-\x7f]*$/.test(source);
  while (index < source.length) {
    const { kind, length } = longest(source, index);
    const token = source.slice(index, index + length);
    if (kind === "") issues.push({ offset, message: `Syntax error: token recognition error at: '${token}'` });
    else if (kind === "space") before += token;
    else {
      tokens.push({ kind, text: token, offset, before });
      before = "";
    }
    index += length;
    offset += ascii ? length : [...token].length;
  }
  tokens.push({ kind: "<EOF>", text: "<EOF>", offset, before });
  return tokens;
}

function longest(source: string, index: number): { kind: string; length: number } {
  let best = { kind: "", length: 0 };
  const consider = (kind: string, pattern: RegExp) => {
    pattern.lastIndex = index;
    const length = pattern.exec(source)?.[0].length ?? 0;
    if (length > best.length) best = { kind, length };
  };
  consider("STRING", stringPattern);
  consider("BYTES", bytesPattern);
  for (const [kind, pattern] of patterns) consider(kind, pattern);
  if (best.length === 0) return { kind: "", length: unrecognized(source, index) };
  const token = source.slice(index, index + best.length);
  if (best.kind === "operator" || (best.kind === "IDENTIFIER" && keywords.has(token))) best.kind = token;
  return best;
}

/** Returns the length of the text that a lexer consumes before it finds that no rule matches. */
function unrecognized(source: string, index: number): number {
  const open = /(?:[bB]?[rR]?|[rR])("""|'''|"|')/y;
  open.lastIndex = index;
  const match = open.exec(source);
  if (match === null) {
    // The first half of an operator, with the character that isn't its second half.
    const half = /[=&|](?:[\s\S])?/uy;
    half.lastIndex = index;
    const halfMatch = half.exec(source);
    if (halfMatch !== null) return halfMatch[0].length;
    if (source[index] === "`") return (/`[A-Za-z0-9_.\-/ ]*(?:.|\s)?/uy.exec(source.slice(index))?.[0] ?? "`").length;
    return (source.codePointAt(index) as number) > 0xffff ? 2 : 1;
  }
  let end = index + match[0].length;
  const quote = match[1] as string;
  while (end < source.length) {
    const char = source[end] as string;
    if (quote.length === 1 && (char === "\n" || char === "\r")) return end + 1 - index;
    if (char === "\\" && !/r/i.test(match[0])) {
      const rest = new RegExp(sequence, "y");
      rest.lastIndex = end;
      const restMatch = rest.exec(source);
      if (restMatch === null) {
        const start = new RegExp(partial, "y");
        start.lastIndex = end;
        return Math.min(end + (start.exec(source)?.[0].length ?? 1) + 1, source.length) - index;
      }
      end += restMatch[0].length;
    } else end++;
  }
  return end - index;
}
