import type { Apply } from "./effect.ts";

type WholeNumberKey = "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";

/** Sets a key to an integer. */
export function wholeNumber(key: WholeNumberKey): Apply {
  return (schema, value) => {
    if (typeof value !== "number" && typeof value !== "bigint") return `${key} must be an integer`;
    schema[key] = value;
    return undefined;
  };
}
