import { randomBytes } from "node:crypto";
import { stringifyDeep } from "./stringify-deep.ts";

// Not predictable, so no value can look like a tagged one.
const NONCE = randomBytes(12).toString("hex");
const TAGGED = new RegExp(`"${NONCE}(-?\\d+)"`, "g");

/**
 * JSON text of a value of any depth. `bigint` values become integers, digit for digit; everything else is as `JSON.stringify` has it.
 * `undefined` at the top is an error: it has no JSON text.
 */
export function stringifyJson(value: unknown): string {
  if (value === undefined) throw new TypeError("undefined can't be converted to JSON");
  try {
    return JSON.stringify(value);
  } catch (error) {
    // V8 writes JSON by recursion, and the stack ends at some 5,000 levels.
    if (error instanceof RangeError) return stringifyDeep(value);
    // Big integers are rare: looking for them in each value beforehand would cost more than this second attempt.
    if (!(error instanceof TypeError) || !error.message.includes("BigInt")) throw error;
  }
  const tagged = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "bigint" ? `${NONCE}${inner}` : inner,
  );
  return tagged.replace(TAGGED, "$1");
}
