import type { JSONSchema } from "../../schema/model/json-schema.ts";

const withRules = new WeakMap<JSONSchema, boolean>();

/** Returns whether a schema or a schema inside it has rules. */
export function hasRules(schema: JSONSchema): boolean {
  const before = withRules.get(schema);
  if (before !== undefined) return before;
  const hasOwn =
    schema["x-kubernetes-validations"] !== undefined ||
    (schema.items !== undefined && hasRules(schema.items)) ||
    (typeof schema.additionalProperties === "object" && hasRules(schema.additionalProperties)) ||
    Object.values(schema.properties ?? {}).some(hasRules);
  withRules.set(schema, hasOwn);
  return hasOwn;
}
