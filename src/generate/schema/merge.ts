// Merges the branches of `allOf` into the surrounding schema, as controller-gen does (crd/flatten.go).

import { byBytes } from "../../text/byte-order.ts";
import { type JSONSchema, mapChildren } from "./model/json-schema.ts";

/** Receives branches that can't be merged. */
export type MergeConflict = (message: string) => void;

type Key = keyof JSONSchema;

/** Keys with scalar values; equal values are merged. Excludes numbers that upstream stores as pointers. */
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

/** Numbers whose equal values are merged although upstream stores them as pointers. */
const counts = new Set<Key>(["minProperties", "maxProperties"]);

/** Keys that aren't merged: `preserveFields` has already merged the documentation of a node. */
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
  /** Values that were created here and may be modified: copying them for each branch would be quadratic. */
  readonly own: WeakSet<object>;
  /** Schemas that branches were merged into. */
  readonly merged: WeakSet<JSONSchema>;
  /** Merged branches that have branches themselves: in a chain of names, each contains all others. */
  readonly flat: WeakMap<JSONSchema, FlatBranch>;
}

/** A branch, merged with all of its own branches. */
interface FlatBranch {
  readonly schema: JSONSchema;
  /** Whether it has no contradictions. */
  readonly agreed: boolean;
  /** Keys that are set by more than one of its parts. */
  readonly repeated: ReadonlySet<Key>;
}

/** Merges all `allOf` of a schema and its children. Contradictions stay in an `allOf`. */
export function mergeAllOf(
  schema: JSONSchema,
  onConflict: MergeConflict,
  spend: (steps?: number) => void = () => {},
): JSONSchema {
  const done = new WeakMap<JSONSchema, JSONSchema>();
  const merging: Merging = { onConflict, spend, own: new WeakSet(), merged: new WeakSet(), flat: new WeakMap() };
  const visit = (node: JSONSchema): JSONSchema => {
    const merged = done.get(node);
    if (merged) return merged;
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

/** Keys that can be set repeatedly with the same result. */
const repeatable = new Set<Key>(["required", "enum", "x-kubernetes-validations", ...lastWins]);

/**
 * Returns whether merging a branch as a whole has the same result as merging it part by part. A branch that contradicts the
 * existing schema must be merged part by part, because each part contradicts it separately.
 */
function staysTheSame(into: JSONSchema, { schema, repeated }: FlatBranch): boolean {
  return (Object.keys(schema) as Key[]).every((key) => {
    if (into[key] === undefined || repeatable.has(key)) return true;
    if (key === "properties" || key === "additionalProperties") return !repeated.has(key);
    return (comparable.has(key) || counts.has(key)) && into[key] === schema[key];
  });
}

function flatBranch(from: JSONSchema, outer: Merging): FlatBranch {
  const cached = outer.flat.get(from);
  if (cached) return cached;
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
  // The branch may be merged into several schemas, which must not modify it.
  for (const value of Object.values(schema)) if (typeof value === "object" && value !== null) outer.own.delete(value);
  const flat = { schema, agreed: agreed && schema.allOf === undefined, repeated };
  outer.flat.set(from, flat);
  return flat;
}

/** Merges the keys of a branch, without those of its own branches. */
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

/** Merges two values of one key; returns false if both must be kept. */
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

/** Appends names, unsorted and with duplicates. */
function appended(names: readonly string[], more: readonly string[], { own, spend }: Merging): readonly string[] {
  spend(more.length);
  const all = own.has(names) ? (names as string[]) : [...names];
  own.add(all);
  for (const name of more) all.push(name);
  return all;
}

/** Prepends the values of a branch. */
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
