import { isObject, type Json } from "../json/json.ts";
import { cloneJson, setKey } from "../json/values.ts";
import type { Schema } from "./schema.ts";

interface DefaultPlan {
  /** Properties that have a default. */
  defaults: [string, Schema][];
  /** Whether the schema or a schema within it has a default. */
  any: boolean;
}

const plans = new WeakMap<Schema, DefaultPlan>();

function planOf(schema: Schema): DefaultPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    const properties = Object.entries(schema.properties ?? {});
    const defaults = properties.filter(([, nested]) => nested.default !== undefined && nested.default !== null);
    plan = { defaults, any: true };
    plans.set(schema, plan);
    const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
    plan.any =
      defaults.length > 0 ||
      [others, schema.items, ...properties.map(([, nested]) => nested)].some(
        (nested) => nested !== undefined && (hasDefault(nested) || planOf(nested).any),
      );
  }
  return plan;
}

function hasDefault(schema: Schema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/**
 * Adds defaults to a value, in place: for absent fields, and instead of null if the field isn't nullable.
 *
 * @param value - the value
 * @param schema - its schema
 */
export function applyDefaults(value: Json, schema: Schema): void {
  if (!planOf(schema).any) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (let index = 0; index < value.length; index++) {
      if (value[index] === null && items.nullable !== true) value[index] = cloneJson(items.default ?? null);
      applyDefaults(value[index] as Json, items);
    }
  } else if (isObject(value)) {
    for (const [name, nested] of planOf(schema).defaults) {
      const current = Object.hasOwn(value, name) ? value[name] : undefined;
      if (current === undefined || (current === null && nested.nullable !== true)) {
        setKey(value, name, cloneJson(nested.default as Json));
      }
    }
    for (const name of Object.keys(value)) {
      const nested = schemaOfField(schema, name);
      if (nested === undefined) continue;
      const others = schema.properties === undefined || !Object.hasOwn(schema.properties, name);
      if (others && value[name] === null && nested.nullable !== true) {
        setKey(value, name, cloneJson(nested.default ?? null));
      }
      applyDefaults(value[name] as Json, nested);
    }
  }
}

/**
 * Removes nulls of fields that are neither nullable nor have a default, in place.
 *
 * @param value - the value
 * @param schema - its schema
 */
export function removeNulls(value: Json, schema: Schema): void {
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    for (const item of value) removeNulls(item, schema.items);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const nested = schemaOfField(schema, name);
      if (nested === undefined) continue;
      if (value[name] === null && nested.nullable !== true && !hasDefault(nested)) delete value[name];
      else removeNulls(value[name] as Json, nested);
    }
  }
}

/**
 * Returns the schema of a field.
 *
 * @param schema - the schema of the object
 * @param name - the field, or a key of a map
 * @returns the schema of the property, otherwise that of other properties
 */
export function schemaOfField(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
