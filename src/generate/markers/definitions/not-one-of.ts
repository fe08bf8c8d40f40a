import { didYouMean } from "../../../diagnostics/did-you-mean.ts";

/**
 * Checks that a value is in a closed list.
 *
 * @param message the rule, to which the value and the most similar valid one are added
 * @returns undefined for a value in the list
 */
export function notOneOf(value: string, allowed: readonly string[], message: string): string | undefined {
  if (allowed.includes(value)) return undefined;
  const near = didYouMean(value, allowed);
  return near === undefined
    ? message
    : `${message}, not ${JSON.stringify(value)}: did you mean ${JSON.stringify(near)}?`;
}
