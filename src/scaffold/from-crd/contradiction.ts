import { isDeepStrictEqual } from "node:util";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";

/** Keys for the kind of a value and of its parts, which the type of a contradiction needs. */
const kindKeys = ["type", "format", "x-kubernetes-int-or-string", "anyOf", "items", "additionalProperties"] as const;

/**
 * Splits a schema whose `allOf` has two values for the same keys, which the generator creates if a type and its field
 * contradict each other.
 *
 * @param isExpressible whether a marker can set a key of the schema to a value
 * @returns the inner part for the type, and the outer part for the field; undefined for any other schema
 */
export function contradiction(
  schema: JSONSchema,
  isExpressible: (key: string, value: unknown) => boolean,
): { inner: JSONSchema; outer: JSONSchema } | undefined {
  const { allOf = [], anyOf: _, description: __, nullable: ___, default: ____, ...rest } = schema;
  const [first, second, third] = allOf;
  if (first === undefined || second === undefined || third !== undefined || schema.properties !== undefined)
    return undefined;
  const [keys, others] = [Object.keys(first).sort(), Object.keys(second).sort()];
  if (keys.length === 0 || keys.join() !== others.join() || keys.some((key) => Object.hasOwn(schema, key)))
    return undefined;
  // The generator would keep only one of two enums.
  if (keys.some((key) => structural.has(key)) || [first, second].some(hasEmptyText)) return undefined;
  if (![first, second].every((part) => Object.entries(part).every((entry) => isExpressible(...entry))))
    return undefined;
  const kind = Object.fromEntries(kindKeys.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])));
  return { inner: { ...kind, ...first }, outer: { ...rest, ...second } };
}

/** Keys that contain schemas, or that the generator never repeats. */
const structural = new Set([
  "type",
  "properties",
  "items",
  "additionalProperties",
  "required",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "$ref",
  "enum",
]);

/** Moves the keys in `allOf` to the schema itself if all entries of `allOf` are equal. */
export function withoutRepeats(schema: JSONSchema): JSONSchema {
  const { allOf = [], ...rest } = schema;
  const [first = {}, ...others] = allOf;
  const clear = Object.keys(first).every((key) => !Object.hasOwn(rest, key));
  if (allOf.length === 0 || !clear || hasEmptyText(first) || !others.every((other) => isDeepStrictEqual(other, first)))
    return schema;
  return { ...rest, ...first };
}

/** Whether a schema has an empty text, such as a pattern, which has no effect and which types and fields never have. */
function hasEmptyText(schema: JSONSchema): boolean {
  return Object.values(schema).includes("");
}
