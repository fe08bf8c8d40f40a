import { randomBytes } from "node:crypto";
import { stringifyDeep } from "./stringify-deep.ts";

// Random, so that no other value looks like a tagged one.
const NONCE = randomBytes(12).toString("hex");
const TAGGED = new RegExp(`"${NONCE}(-?\\d+)"`, "g");

/**
 * Serializes a value of any depth. `bigint` values become integers with all their digits; everything else is serialized like
 * with `JSON.stringify`. Throws for `undefined`, which has no JSON form.
 */
export function stringifyJson(value: unknown): string {
  if (value === undefined) throw new TypeError("undefined can't be converted to JSON");
  try {
    return JSON.stringify(value);
  } catch (error) {
    // V8 serializes recursively, and its stack overflows at about 5,000 levels.
    if (error instanceof RangeError) return stringifyDeep(value);
    // Big integers are rare. Checking each value in advance would cost more than this second attempt.
    if (!(error instanceof TypeError) || !error.message.includes("BigInt")) throw error;
  }
  const tagged = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "bigint" ? `${NONCE}${inner}` : inner,
  );
  return tagged.replace(TAGGED, "$1");
}
