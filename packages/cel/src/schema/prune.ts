import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { compareBytes } from "../json/values.ts";
import type { Schema } from "./schema.ts";

const metaFields = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Removes the fields that a schema doesn't define, in place. The fields `apiVersion`, `kind` and `metadata` of embedded
 * resources stay; {@link coerceMetadata} handles their content.
 *
 * @param value - the value
 * @param schema - its schema
 * @param isResource - true if the value is a resource, whatever its schema contains
 * @returns the paths of the removed fields, sorted, for example `spec.list[0].x`
 */
export function prune(value: Json, schema: Schema, isResource: boolean): string[] {
  const removed: string[] = [];
  pruneValue(value, schema, isResource || schema["x-kubernetes-embedded-resource"] === true, "", removed);
  return removed.sort(compareBytes);
}

function property(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function pruneValue(
  value: Json,
  schema: Schema | undefined,
  isResource: boolean,
  path: string,
  removed: string[],
): void {
  if (typeof value !== "object" || value === null) return;
  if (schema === undefined) {
    pruneUndefined(value, path, removed);
    return;
  }
  const preserve = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (Array.isArray(value)) {
    // Preserved lists without a schema of items are preserved as a whole.
    if (preserve && schema.items === undefined) return;
    const items = schema.items;
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as Json;
      if (preserve && items !== undefined) preserveItem(item, items, `${path}[${index}]`, removed);
      else pruneNested(item, items, `${path}[${index}]`, removed);
    }
    return;
  }
  for (const name of Object.keys(value)) {
    if (isResource && metaFields.has(name)) continue;
    const nested = property(schema, name);
    const others = schema.additionalProperties;
    if (nested !== undefined) pruneNested(value[name] as Json, nested, join(path, name), removed);
    else if (others !== undefined) {
      const schemaOfOthers = typeof others === "object" ? others : undefined;
      pruneNested(value[name] as Json, schemaOfOthers, join(path, name), removed);
    } else if (!preserve) remove(value, name, path, removed);
  }
}

function pruneNested(value: Json, schema: Schema | undefined, path: string, removed: string[]): void {
  pruneValue(value, schema, schema?.["x-kubernetes-embedded-resource"] === true, path, removed);
}

/** Prunes an item of a preserved list, which is preserved too, except within its properties. */
function preserveItem(value: Json, schema: Schema, path: string, removed: string[]): void {
  const preserved: Schema = schema["x-kubernetes-preserve-unknown-fields"] === true ? schema : preservedVariant(schema);
  pruneNested(value, preserved, path, removed);
}

const preservedVariants = new WeakMap<Schema, Schema>();

function preservedVariant(schema: Schema): Schema {
  let variant = preservedVariants.get(schema);
  if (variant === undefined) {
    variant = { ...schema, "x-kubernetes-preserve-unknown-fields": true };
    preservedVariants.set(schema, variant);
  }
  return variant;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function remove(value: JsonObject, name: string, path: string, removed: string[]): void {
  if (path !== "" || !metaFields.has(name)) removed.push(join(path, name));
  delete value[name];
}

/** Empties the objects within a value that has no schema. Lists may be nested deeply, so this doesn't recurse. */
function pruneUndefined(value: Json[] | JsonObject, path: string, removed: string[]): void {
  const pending: { value: Json; path: string }[] = [{ value, path }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next.value)) {
      const at = next.path;
      next.value.forEach((item, index) => {
        if (typeof item === "object" && item !== null) pending.push({ value: item, path: `${at}[${index}]` });
      });
    } else if (isObject(next.value)) {
      for (const name of Object.keys(next.value)) remove(next.value, name, next.path, removed);
    }
  }
}
