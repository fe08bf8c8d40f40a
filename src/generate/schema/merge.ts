// How controller-gen merges the branches of `allOf` into the schema around them (crd/flatten.go).

import { type JSONSchema, mapChildren } from "./json-schema.ts";

/** Told of branches that cannot be merged. */
export type MergeConflict = (message: string) => void;

/** Keys whose values are scalars: equal ones are one. Numbers that upstream holds by pointer are not among them. */
const comparable = new Set([
  "type",
  "format",
  "pattern",
  "nullable",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "uniqueItems",
  "x-kubernetes-int-or-string",
  "x-kubernetes-embedded-resource",
]);

/** The documentation of a node is merged before, by `preserveFields`. */
const documentation = new Set(["allOf", "title", "description", "example", "externalDocs"]);

const lastWins = new Set([
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
]);

type Key = keyof JSONSchema;

/** Merges all `allOf` of a schema and of what it holds. What contradicts itself stays behind in an `allOf`. */
export function mergeAllOf(schema: JSONSchema, onConflict: MergeConflict): JSONSchema {
  const done = new WeakMap<JSONSchema, JSONSchema>();
  const visit = (node: JSONSchema): JSONSchema => {
    const known = done.get(node);
    if (known) return known;
    const { allOf, ...merged } = node;
    const into: JSONSchema = merged;
    for (const branch of allOf ?? []) mergeInto(into, branch, onConflict);
    const result = mapChildren(allOf ? into : node, visit);
    done.set(node, result);
    return result;
  };
  return visit(schema);
}

function mergeInto(into: JSONSchema, from: JSONSchema, onConflict: MergeConflict): void {
  for (const branch of from.allOf ?? []) mergeInto(into, branch, onConflict);
  const restOfInto: JSONSchema = {};
  const restOfFrom: JSONSchema = {};
  for (const key of Object.keys(from) as Key[]) {
    if (documentation.has(key)) continue;
    if (into[key] === undefined) {
      setKey(into, key, from[key]);
      continue;
    }
    if (key === "enum" || (comparable.has(key) && into[key] === from[key])) continue;
    if (resolveConflict(into, from, key, onConflict)) continue;
    setKey(restOfFrom, key, from[key]);
    setKey(restOfInto, key, into[key]);
    delete into[key];
  }
  if (Object.keys(restOfInto).length > 0) into.allOf = [...(into.allOf ?? []), restOfInto, restOfFrom];
  if (into.required) into.required = [...new Set(into.required)].sort(byteOrder);
}

/** Settles two values of one key; false if both have to stay. */
function resolveConflict(into: JSONSchema, from: JSONSchema, key: Key, onConflict: MergeConflict): boolean {
  if (lastWins.has(key)) {
    setKey(into, key, from[key]);
    return true;
  }
  switch (key) {
    case "properties":
      into.properties = mergeProperties(into.properties ?? {}, from.properties ?? {}, onConflict);
      return true;
    case "required":
      into.required = [...(into.required ?? []), ...(from.required ?? [])];
      return true;
    case "minProperties":
    case "maxProperties":
      return into[key] === from[key];
    case "type":
      onConflict(`conflicting types in allOf branches in schema: ${into.type} vs ${from.type}`);
      return true;
    case "additionalProperties":
      into.additionalProperties = mergeAdditional(into.additionalProperties, from.additionalProperties, onConflict);
      return true;
    case "x-kubernetes-validations":
      into[key] = [...(from[key] ?? []), ...(into[key] ?? [])];
      return true;
    default:
      return false;
  }
}

type Properties = NonNullable<JSONSchema["properties"]>;

function mergeProperties(into: Properties, from: Properties, onConflict: MergeConflict): Properties {
  const merged = { ...into };
  for (const [name, schema] of Object.entries(from)) {
    const mine = merged[name];
    if (mine && Object.hasOwn(merged, name)) {
      const copy = { ...mine };
      mergeInto(copy, schema, onConflict);
      merged[name] = copy;
    } else {
      merged[name] = schema;
    }
  }
  return merged;
}

function mergeAdditional(
  into: JSONSchema["additionalProperties"],
  from: JSONSchema["additionalProperties"],
  onConflict: MergeConflict,
): JSONSchema["additionalProperties"] {
  if (typeof from !== "object") return into;
  const copy = typeof into === "object" ? { ...into } : {};
  mergeInto(copy, from, onConflict);
  return copy;
}

function setKey<K extends Key>(schema: JSONSchema, key: K, value: JSONSchema[K]): void {
  schema[key] = value;
}

/** Go's order of strings: by code point. */
export function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
