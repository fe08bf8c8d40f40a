import { allLimits, type LimitKeyword } from "../../kubernetes/limits.ts";
import { byBytes } from "../../text/byte-order.ts";
import type { JSONSchema, JSONValue, ValidationRule } from "../schema/model/json-schema.ts";

/** A value whose objects have ordered keys. */
export type Ordered = null | boolean | number | bigint | string | readonly Ordered[] | OrderedMap;
export type OrderedMap = ReadonlyMap<string, Ordered>;

/** Keys between the limits. */
const beforeLimit: Readonly<Partial<Record<LimitKeyword, readonly (keyof JSONSchema)[]>>> = {
  maxItems: ["pattern"],
  maxProperties: ["enum"],
};

/** The keys of a schema in the order of the API's Go type, in which upstream writes them. */
const SCHEMA_KEYS: readonly (keyof JSONSchema)[] = [
  "$ref",
  "description",
  "type",
  "format",
  "title",
  "default",
  ...allLimits.flatMap(([keyword]) => [...(beforeLimit[keyword] ?? []), keyword]),
  "required",
  "items",
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "properties",
  "additionalProperties",
  "externalDocs",
  "example",
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
];

const RULE_KEYS: readonly (keyof ValidationRule)[] = [
  "rule",
  "message",
  "messageExpression",
  "reason",
  "fieldPath",
  "optionalOldSelf",
];

/** Returns a schema with its keys in order; properties and the keys of values are sorted. */
export function orderedSchema(schema: JSONSchema): OrderedMap {
  return inOrder(schema as Readonly<Record<string, unknown>>, SCHEMA_KEYS, (key, value) => {
    switch (key) {
      case "items":
      case "not":
        return orderedSchema(value as JSONSchema);
      case "allOf":
      case "anyOf":
      case "oneOf":
        return (value as readonly JSONSchema[]).map(orderedSchema);
      case "additionalProperties":
        return value === true ? true : orderedSchema(value as JSONSchema);
      case "properties":
        return sorted(value as Readonly<Record<string, JSONSchema>>, orderedSchema);
      case "externalDocs":
        return inOrder(value as Readonly<Record<string, unknown>>, ["description", "url"], (_, text) => text as string);
      case "x-kubernetes-validations":
        return (value as readonly ValidationRule[]).map((rule) =>
          inOrder(rule as unknown as Readonly<Record<string, unknown>>, RULE_KEYS, (_, part) => part as Ordered),
        );
      default:
        return orderedValue(value as JSONValue);
    }
  });
}

function inOrder(
  from: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  convert: (key: string, value: unknown) => Ordered,
): OrderedMap {
  const unknown = Object.keys(from).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Error(`the schema key ${unknown} isn't in the order`);
  return new Map(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, convert(key, from[key])] as const])));
}

function orderedValue(value: JSONValue): Ordered {
  if (Array.isArray(value)) return value.map(orderedValue);
  if (typeof value !== "object" || value === null) return value as Ordered;
  return sorted(value as Readonly<Record<string, JSONValue>>, orderedValue);
}

function sorted<Value>(from: Readonly<Record<string, Value>>, convert: (value: Value) => Ordered): OrderedMap {
  const keys = Object.keys(from).sort(byBytes);
  return new Map(keys.map((key) => [key, convert(from[key] as Value)]));
}
