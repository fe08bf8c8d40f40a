import { goQuote } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { patchFailure } from "./strategic-errors.ts";

/** How a field merges in a strategic merge patch. */
export interface PatchMeta {
  /** The type of the field, or of the items of a list. */
  schema: Schema;
  /** `merge`, `replace`, or empty for the default: objects merge and lists are replaced. */
  strategy: string;
  /** The key of items by which lists of objects merge. */
  mergeKey: string;
}

/**
 * Finds out how an object in a field merges.
 *
 * @param schema - the type of the object that contains the field
 * @param key - the field
 * @returns how it merges
 * @throws StatusError (500) if the type has no such field
 */
export function metaOfObject(schema: Schema, key: string): PatchMeta {
  return { ...metaOf(schema, key), schema: fieldOf(schema, key) };
}

/**
 * Finds out how a list in a field merges.
 *
 * @param schema - the type of the object that contains the field
 * @param key - the field
 * @returns how it merges, with the type of its items
 * @throws StatusError (500) if the type has no such list
 */
export function metaOfList(schema: Schema, key: string): PatchMeta {
  const field = fieldOf(schema, key);
  if (field.type !== "array" || field.items === undefined)
    throw patchFailure("expected slice or array type, but got: struct");
  if (field.items.type === "array") throw patchFailure("unexpected slice of slice");
  return { ...metaOf(schema, key), schema: field.items };
}

function fieldOf(schema: Schema, key: string): Schema {
  const { properties } = schema;
  if (properties === undefined) {
    throw patchFailure(`merging an object in json but data type is not struct, instead is: ${goKind(schema)}`);
  }
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (field === undefined) throw patchFailure(`unable to find api field in struct for the json field ${goQuote(key)}`);
  return field;
}

function metaOf(schema: Schema, key: string): Omit<PatchMeta, "schema"> {
  const field = fieldOf(schema, key);
  const strategies = (field["x-kubernetes-patch-strategy"] ?? "").split(",");
  const others = strategies.filter((strategy) => strategy !== "retainKeys");
  if (strategies.length > 2 || others.length > 1)
    throw patchFailure(`unexpected patch strategy: [${strategies.join(" ")}]`);
  return { strategy: others[0] ?? "", mergeKey: field["x-kubernetes-patch-merge-key"] ?? "" };
}

/** Names the kind of a type that has no fields, as Go's `reflect.Kind` does. */
export function goKind({ type, properties }: Schema): string {
  if (properties !== undefined) return "struct";
  if (type === "array") return "slice";
  return type === "object" || type === undefined ? "map" : type;
}
