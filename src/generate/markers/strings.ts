import { unquote } from "./model/go-values.ts";
import { code, TOKEN, type TokenScanner } from "./token-scanner.ts";

/** A parsed string argument; `lost` is the text that the grammar drops before a delimiter. */
export interface ScannedString {
  readonly value: string;
  readonly start: number;
  readonly lost?: string;
}

/**
 * Reads a quoted string, or a bare one up to `,` `;` `}` or the end, in map keys also up to `:`. A space before the
 * delimiter makes a bare string lose its last token. Undefined after an error, which the scanner has recorded.
 */
export function scanBareOrQuoted(scanner: TokenScanner, raw: string, isKey: boolean): ScannedString | undefined {
  scanner.scanNumbers = false;
  try {
    const token = scanner.scan();
    if (token === TOKEN.string || token === TOKEN.rawString) {
      const value = unquote(scanner.tokenText);
      if (value === undefined) {
        scanner.error("unable to parse string: invalid syntax");
        return undefined;
      }
      return { value, start: scanner.tokenStart };
    }
    const start = scanner.tokenStart;
    while (!endsBareString(scanner.peekPastBlanks(), isKey)) scanner.scan();
    // Not the offset of the delimiter: after skipping whitespace, the last token has no text.
    const value = raw.slice(start, scanner.tokenStart + scanner.tokenText.length);
    const written = raw.slice(start, scanner.offset).trimEnd();
    return written === value.trimEnd() ? { value, start } : { value, start, lost: written.slice(value.length) };
  } finally {
    scanner.scanNumbers = true;
  }
}

function endsBareString(next: number, isKey: boolean): boolean {
  if (next === TOKEN.end) return true;
  return next === code(",") || next === code(";") || next === code("}") || (isKey && next === code(":"));
}
