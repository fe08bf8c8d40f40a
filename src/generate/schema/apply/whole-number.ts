import type { Apply } from "./effect.ts";

type WholeNumberKey = "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";

/** Sets a key to a whole number. */
export function wholeNumber(key: WholeNumberKey): Apply {
  return (schema, value) => {
    if (typeof value !== "number" && typeof value !== "bigint") return `${key} must be a whole number`;
    schema[key] = value;
    return undefined;
  };
}
