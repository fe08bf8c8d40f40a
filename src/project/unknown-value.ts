import { didYouMean } from "../diagnostics/did-you-mean.ts";
import { shown } from "./names.ts";

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
  const list = allowed.length < 2 ? allowed.join("") : `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  const near = didYouMean(value, allowed);
  return {
    message: `${what} ${shown(value)} isn't valid: it must be ${list}`,
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}
