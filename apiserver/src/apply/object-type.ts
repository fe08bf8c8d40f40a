import { isObject, type JsonObject } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { deducedType, typeOfCustomObject, type ValueType } from "./value-type.ts";

const types = new WeakMap<Schema, ValueType>();

/**
 * Returns the type of a version of custom resources. It has the fields of every object, `metadata` among them.
 *
 * @param schema - the structural schema of the version, or undefined for none
 * @returns the type
 */
export function customResourceType(schema: Schema | undefined): ValueType {
  if (schema === undefined) return deducedType;
  let type = types.get(schema);
  if (type === undefined) {
    type = typeOfCustomObject(schema);
    types.set(schema, type);
  }
  return type;
}

/**
 * Creates the empty object of a built-in kind: the JSON of its Go type without values. Fields that it contains, such as
 * `spec`, aren't owned by those who create an object.
 *
 * @param schema - the OpenAPI model of the kind, with references resolved
 * @param apiVersion - the version
 * @param kind - the kind
 * @returns the empty object
 */
export function emptyObject(schema: Schema, apiVersion: string, kind: string): JsonObject {
  return { ...emptyStruct(schema), kind, apiVersion };
}

function emptyStruct(schema: Schema): JsonObject {
  const object: JsonObject = {};
  const required = new Set(schema.required);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    // Structs in Go that aren't pointers have an empty object as their default, and are encoded although they are empty.
    if (isObject(property.default) && property.properties !== undefined) object[name] = emptyStruct(property);
    else if (required.has(name)) object[name] = emptyValue(property);
  }
  return object;
}

function emptyValue(schema: Schema): string | number | boolean | null {
  if (schema.default === undefined) return null;
  if (schema.type === "string") return "";
  if (schema.type === "integer" || schema.type === "number") return 0;
  return schema.type === "boolean" ? false : null;
}
