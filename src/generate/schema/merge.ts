// How controller-gen merges the branches of `allOf` into the schema around them (crd/flatten.go).

import { byBytes } from "../byte-order.ts";
import { type JSONSchema, mapChildren } from "./json-schema.ts";

/** Told of branches that cannot be merged. */
export type MergeConflict = (message: string) => void;

type Key = keyof JSONSchema;

/** Keys whose values are scalars: equal ones are one. Numbers that upstream holds by pointer are not among them. */
const comparable = new Set<Key>([
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

/** Numbers of which equal ones are one all the same. */
const counts = new Set<Key>(["minProperties", "maxProperties"]);

/** The documentation of a node is merged before, by `preserveFields`. */
const documentation = new Set(["allOf", "title", "description", "example", "externalDocs"]);

const lastWins = new Set<Key>([
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
]);

interface Merging {
  readonly onConflict: MergeConflict;
  /** Called before each step; it may throw. */
  readonly spend: (steps?: number) => void;
  /** What was made here and may be changed in place: to copy it for each branch would take the square of their number. */
  readonly own: WeakSet<object>;
  /** What branches were merged into. */
  readonly merged: WeakSet<JSONSchema>;
  /** Branches that have branches, as one: in a chain of names each has all the others in it. */
  readonly flat: WeakMap<JSONSchema, FlatBranch>;
}

/** A branch and all that it has in it, merged. */
interface FlatBranch {
  readonly schema: JSONSchema;
  /** Nothing in it contradicted anything else in it. */
  readonly agreed: boolean;
  /** What more than one of its parts says. */
  readonly repeated: ReadonlySet<Key>;
}

/** Merges all `allOf` of a schema and of what it holds. What contradicts itself stays behind in an `allOf`. */
export function mergeAllOf(
  schema: JSONSchema,
  onConflict: MergeConflict,
  spend: (steps?: number) => void = () => {},
): JSONSchema {
  const done = new WeakMap<JSONSchema, JSONSchema>();
  const merging: Merging = { onConflict, spend, own: new WeakSet(), merged: new WeakSet(), flat: new WeakMap() };
  const visit = (node: JSONSchema): JSONSchema => {
    const known = done.get(node);
    if (known) return known;
    const { allOf, ...rest } = node;
    const into: JSONSchema = rest;
    if (merging.merged.has(node)) merging.merged.add(into);
    for (const branch of allOf ?? []) mergeInto(into, branch, merging);
    if (into.required && merging.merged.has(into)) into.required = [...new Set(into.required)].sort(byBytes);
    const result = mapChildren(allOf || merging.merged.has(into) ? into : node, visit);
    done.set(node, result);
    return result;
  };
  return visit(schema);
}

function mergeInto(into: JSONSchema, from: JSONSchema, merging: Merging): void {
  merging.spend();
  merging.merged.add(into);
  const flat = from.allOf && flatBranch(from, merging);
  if (flat?.agreed && staysTheSame(into, flat)) {
    mergeKeys(into, flat.schema, merging);
    return;
  }
  for (const branch of from.allOf ?? []) mergeInto(into, branch, merging);
  mergeKeys(into, from, merging);
}

/** What can be said more than once without a difference to what was said before. */
const repeatable = new Set<Key>(["required", "enum", "x-kubernetes-validations", ...lastWins]);

/**
 * Whether a branch comes to the same when it is merged at once, and not part by part: where it contradicts what is there,
 * each part does so by itself.
 */
function staysTheSame(into: JSONSchema, { schema, repeated }: FlatBranch): boolean {
  return (Object.keys(schema) as Key[]).every((key) => {
    if (into[key] === undefined || repeatable.has(key)) return true;
    if (key === "properties" || key === "additionalProperties") return !repeated.has(key);
    return (comparable.has(key) || counts.has(key)) && into[key] === schema[key];
  });
}

function flatBranch(from: JSONSchema, outer: Merging): FlatBranch {
  const known = outer.flat.get(from);
  if (known) return known;
  let agreed = true;
  const merging: Merging = { ...outer, onConflict: () => (agreed = false) };
  const schema: JSONSchema = {};
  const repeated = new Set<Key>();
  const { allOf = [], ...own } = from;
  for (const part of [...allOf, own as JSONSchema]) {
    const inner = part.allOf === undefined ? undefined : flatBranch(part, outer);
    if (inner && !inner.agreed) agreed = false;
    for (const key of inner?.repeated ?? []) repeated.add(key);
    for (const key of Object.keys(inner?.schema ?? part) as Key[]) if (schema[key] !== undefined) repeated.add(key);
    mergeInto(schema, part, merging);
  }
  // It may be merged into several schemas, none of which may change it.
  for (const value of Object.values(schema)) if (typeof value === "object" && value !== null) outer.own.delete(value);
  const flat = { schema, agreed: agreed && schema.allOf === undefined, repeated };
  outer.flat.set(from, flat);
  return flat;
}

/** The keys of a branch without those of its own branches. */
function mergeKeys(into: JSONSchema, from: JSONSchema, merging: Merging): void {
  const restOfInto: JSONSchema = {};
  const restOfFrom: JSONSchema = {};
  for (const key of Object.keys(from) as Key[]) {
    if (documentation.has(key)) continue;
    if (into[key] === undefined) {
      setKey(into, key, from[key]);
      continue;
    }
    if (key === "enum" || (comparable.has(key) && into[key] === from[key])) continue;
    if (resolveConflict(into, from, key, merging)) continue;
    setKey(restOfFrom, key, from[key]);
    setKey(restOfInto, key, into[key]);
    delete into[key];
  }
  if (Object.keys(restOfInto).length > 0) into.allOf = [...(into.allOf ?? []), restOfInto, restOfFrom];
}

/** Settles two values of one key; false if both have to stay. */
function resolveConflict(into: JSONSchema, from: JSONSchema, key: Key, merging: Merging): boolean {
  if (lastWins.has(key)) {
    setKey(into, key, from[key]);
    return true;
  }
  switch (key) {
    case "properties":
      into.properties = mergeProperties(into.properties ?? {}, from.properties ?? {}, merging);
      return true;
    case "required":
      into.required = appended(into.required ?? [], from.required ?? [], merging);
      return true;
    case "minProperties":
    case "maxProperties":
      return into[key] === from[key];
    case "type":
      merging.onConflict(`conflicting types in allOf branches in schema: ${into.type} vs ${from.type}`);
      return true;
    case "additionalProperties":
      into.additionalProperties = mergeAdditional(into.additionalProperties, from.additionalProperties, merging);
      return true;
    case "x-kubernetes-validations":
      into[key] = prepended(from[key] ?? [], into[key] ?? [], merging);
      return true;
    default:
      return false;
  }
}

type Properties = NonNullable<JSONSchema["properties"]>;

function mergeProperties(into: Properties, from: Properties, merging: Merging): Properties {
  const merged = merging.own.has(into) ? into : { ...into };
  merging.own.add(merged);
  const added = Object.entries(from);
  merging.spend(added.length);
  for (const [name, schema] of added) {
    const mine = merged[name];
    if (mine && Object.hasOwn(merged, name)) {
      const copy = { ...mine };
      mergeInto(copy, schema, merging);
      merged[name] = copy;
    } else {
      merged[name] = schema;
    }
  }
  return merged;
}

/** In no order yet, and with repetitions. */
function appended(names: readonly string[], more: readonly string[], { own, spend }: Merging): readonly string[] {
  spend(more.length);
  const all = own.has(names) ? (names as string[]) : [...names];
  own.add(all);
  for (const name of more) all.push(name);
  return all;
}

/** What a branch asks stands before what is asked so far. */
function prepended<T>(more: readonly T[], values: readonly T[], { own, spend }: Merging): T[] {
  spend(more.length);
  const all = own.has(values) ? (values as T[]) : [...values];
  own.add(all);
  all.unshift(...more);
  return all;
}

function mergeAdditional(
  into: JSONSchema["additionalProperties"],
  from: JSONSchema["additionalProperties"],
  merging: Merging,
): JSONSchema["additionalProperties"] {
  if (typeof from !== "object") return into;
  const copy = typeof into === "object" ? { ...into } : {};
  mergeInto(copy, from, merging);
  return copy;
}

function setKey<K extends Key>(schema: JSONSchema, key: K, value: JSONSchema[K]): void {
  schema[key] = value;
}
