import { goQuote } from "@kubewright/cel/json";

/**
 * Parses a 64-bit integer as Go's `strconv.ParseInt` does.
 *
 * @param text - the number in decimal form
 * @returns the number, or Go's message if there is none
 */
export function parseInt64(text: string): { value: bigint; problem?: undefined } | { problem: string } {
  const refuse = (what: string): { problem: string } => ({
    problem: `strconv.ParseInt: parsing ${goQuote(text)}: ${what}`,
  });
  if (!/^[+-]?\d+$/.test(text)) return refuse("invalid syntax");
  const value = BigInt(text.replace(/^\+/, ""));
  return value === BigInt.asIntN(64, value) ? { value } : refuse("value out of range");
}
