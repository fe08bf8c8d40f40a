import { checkSize, checkValues, maxTextBytes } from "./budget.ts";

/**
 * Parses a JSON text, which may begin with a byte order mark.
 *
 * @param maxBytes - maximum length of the text, in bytes
 * @throws SyntaxError if the text isn't JSON, YamlError if it exceeds the limits of `budget.ts`
 */
export function readJson(text: string, maxBytes: number = maxTextBytes): unknown {
  checkSize(text, maxBytes);
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  checkValues([value]);
  return value;
}
