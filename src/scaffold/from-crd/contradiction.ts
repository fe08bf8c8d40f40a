import { isDeepStrictEqual } from "node:util";
import type { CrdSchema } from "./schema.ts";

/** Keys that say what kind of value it is: both of two limits need them. */
const kindKeys = ["type", "format", "x-kubernetes-int-or-string", "anyOf"] as const;

/**
 * A schema whose `allOf` holds two values for the same keys, as the generator writes it for a type and a field that
 * contradict each other: the part for the type and the part for who has it. Undefined for any other schema.
 */
export function contradiction(schema: CrdSchema): { inner: CrdSchema; outer: CrdSchema } | undefined {
  const { allOf = [], anyOf: _, description: __, nullable: ___, default: ____, ...rest } = schema;
  const [first, second, third] = allOf;
  if (first === undefined || second === undefined || third !== undefined || schema.properties !== undefined)
    return undefined;
  const [keys, others] = [Object.keys(first).sort(), Object.keys(second).sort()];
  if (keys.length === 0 || keys.join() !== others.join() || keys.some((key) => Object.hasOwn(schema, key)))
    return undefined;
  // Of two enums the generator would keep one.
  if (keys.some((key) => structural.has(key))) return undefined;
  const kind = Object.fromEntries(kindKeys.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])));
  return { inner: { ...kind, ...first }, outer: { ...rest, ...second } };
}

/** Keys that hold schemas, or that don't come twice. */
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

/** A schema whose `allOf` says the same thing more than once, without saying it again. */
export function saidOnce(schema: CrdSchema): CrdSchema {
  const { allOf = [], ...rest } = schema;
  const [first = {}, ...others] = allOf;
  const clear = Object.keys(first).every((key) => !Object.hasOwn(rest, key));
  if (allOf.length === 0 || !clear || !others.every((other) => isDeepStrictEqual(other, first))) return schema;
  return { ...rest, ...first };
}
