import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { isWrittenAsFloat } from "../json/notation.ts";
import { encodeSorted, sortKeys } from "../json/values.ts";
import type { FieldError } from "../validation/field-error.ts";
import { at, child, duplicateValue, invalidValue } from "../validation/paths.ts";
import type { Schema } from "./schema.ts";

const hasListTypes = new WeakMap<Schema, boolean>();

/** @returns true if a schema contains sets or maps, so that most values need no check */
function containsListTypes(schema: Schema): boolean {
  const cached = hasListTypes.get(schema);
  if (cached !== undefined) return cached;
  hasListTypes.set(schema, false);
  const type = schema["x-kubernetes-list-type"];
  const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  const nested = [others, schema.items, ...Object.values(schema.properties ?? {})];
  const isContained =
    type === "set" || type === "map" || nested.some((schema) => schema !== undefined && containsListTypes(schema));
  hasListTypes.set(schema, isContained);
  return isContained;
}

/**
 * Checks that the items of sets and the keys of the items of maps are unique.
 *
 * @param schema - the schema of the value
 * @param value - an object
 * @param path - its path; empty for the root
 * @returns the errors
 */
export function validateListTypes(schema: Schema, value: Json, path = ""): FieldError[] {
  const errors: FieldError[] = [];
  if (isObject(value)) checkObject(schema, value, path, errors);
  return errors;
}

function checkObject(schema: Schema, value: JsonObject, path: string, errors: FieldError[]): void {
  if (!containsListTypes(schema)) return;
  const { properties, additionalProperties } = schema;
  for (const [name, nested] of Object.entries(value)) {
    if (typeof additionalProperties === "object") check(additionalProperties, nested, at(path, name), errors);
    if (properties !== undefined && Object.hasOwn(properties, name)) {
      check(properties[name] as Schema, nested, child(path, name), errors);
    }
  }
}

function check(schema: Schema, value: Json | undefined, path: string, errors: FieldError[]): void {
  if (Array.isArray(value)) checkList(schema, value, path, errors);
  else if (isObject(value)) checkObject(schema, value, path, errors);
}

function checkList(schema: Schema, value: Json[], path: string, errors: FieldError[]): void {
  if (!containsListTypes(schema)) return;
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") {
    for (const index of repeated(value)) errors.push(duplicateValue(at(path, index), sortKeys(value[index] as Json)));
  } else if (type === "map") {
    checkMap(schema["x-kubernetes-list-map-keys"] ?? [], value, path, errors);
  }
  if (schema.items === undefined) return;
  for (let index = 0; index < value.length; index++) check(schema.items, value[index], at(path, index), errors);
}

/** @returns the index of the second appearance of each repeated item */
function repeated(items: readonly (Json | undefined)[]): number[] {
  const seen = new Map<unknown, number>();
  const indices: number[] = [];
  items.forEach((item, index) => {
    // Go doesn't compare integers with floats.
    const isFloat = isWrittenAsFloat(items, index, item);
    const key =
      (typeof item === "object" && item !== null) || isFloat ? `\u0000${isFloat} ${encodeSorted(item as Json)}` : item;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    if (times === 1) indices.push(index);
  });
  return indices;
}

function checkMap(keys: readonly string[], items: Json[], path: string, errors: FieldError[]): void {
  const wrong = items.findIndex((item) => item !== null && !isObject(item));
  if (wrong !== -1) {
    const detail = "must be an object for an array of list-type map";
    errors.push(invalidValue(at(path, wrong), sortKeys(items[wrong] as Json), detail));
    return;
  }
  const keysOfItems = items.map((item) => {
    const present = isObject(item) ? keys.filter((key) => Object.hasOwn(item, key) && item[key] !== undefined) : [];
    return Object.fromEntries(present.map((key) => [key, (item as JsonObject)[key]])) as JsonObject;
  });
  for (const index of repeated(keysOfItems)) {
    errors.push(duplicateValue(at(path, index), sortKeys(keysOfItems[index] as Json)));
  }
}
