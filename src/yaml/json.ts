import { checkSize, checkValues } from "./budget.ts";

/**
 * The value of a JSON text, which may begin with a byte order mark.
 *
 * @throws SyntaxError for what isn't JSON, YamlError for what costs more than the limits of `budget.ts`
 */
export function readJson(text: string): unknown {
  checkSize(text);
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  checkValues([value]);
  return value;
}
