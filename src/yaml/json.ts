import { checkSize, checkValues } from "./budget.ts";

/**
 * Parses a JSON text, which may begin with a byte order mark.
 *
 * @throws SyntaxError if the text isn't JSON, YamlError if it exceeds the limits of `budget.ts`
 */
export function readJson(text: string): unknown {
  checkSize(text);
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  checkValues([value]);
  return value;
}
