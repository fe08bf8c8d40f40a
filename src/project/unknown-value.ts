import { didYouMean } from "../diagnostics/did-you-mean.ts";
import { listed } from "../text/list.ts";
import { shown } from "../text/shown.ts";

/**
 * Describes a value that isn't in a closed list, with the most similar value as the hint.
 *
 * @param what the flag or argument that has the value, such as `--license`
 * @param allowed all valid values
 */
export function unknownValue(
  what: string,
  value: string,
  allowed: readonly string[],
): { readonly message: string; readonly hint?: string } {
  const near = didYouMean(value, allowed);
  return {
    message: `${what} ${shown(value)} isn't valid: it must be ${listed(allowed, "or")}`,
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}
