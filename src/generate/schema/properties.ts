import { addRule, isImmutableRule, setOnceRule } from "../markers/index.ts";
import type { SchemaBuilder } from "./builder.ts";
import type { JSONSchema } from "./model/json-schema.ts";

/** Returns the names of all properties of a schema, including those of its references. */
export function propertyNames(builder: SchemaBuilder, schema: JSONSchema, seen = new Set<string>()): Set<string> {
  builder.spend();
  const names = new Set(Object.keys(schema.properties ?? {}));
  const others: JSONSchema[] = [...(schema.allOf ?? [])];
  if (schema.$ref !== undefined && !seen.has(schema.$ref)) {
    seen.add(schema.$ref);
    others.push(builder.unflattened(schema.$ref) ?? {});
  }
  for (const other of others) for (const name of propertyNames(builder, other, seen)) names.add(name);
  return names;
}

/**
 * Restores the references that properties had before they were resolved. Merging isn't repeated, because contradictory limits
 * would change their order.
 */
export function withReferences(builder: SchemaBuilder, resolved: JSONSchema, original: JSONSchema): JSONSchema {
  if (!resolved.properties) return resolved;
  const byName = new Map<string, JSONSchema[]>();
  collectProperties(builder, original, byName, new Set());
  const properties = Object.entries(resolved.properties).map(([name, property]) => {
    const [only, another] = byName.get(name) ?? [];
    return [name, only && !another ? only : property];
  });
  return { ...resolved, properties: Object.fromEntries(properties) };
}

/**
 * Copies descriptions from the first parent that declares a property, as editors show them. Adds the descriptions to
 * `schema`, and removes the documented properties from `undocumented`.
 */
export function inheritDescriptions(
  builder: SchemaBuilder,
  schema: JSONSchema,
  parent: JSONSchema,
  undocumented: Set<string>,
): void {
  if (undocumented.size === 0) return;
  const byName = new Map<string, JSONSchema[]>();
  collectProperties(builder, parent, byName, new Set());
  for (const name of undocumented) {
    const description = byName.get(name)?.find((property) => property.description !== undefined)?.description;
    if (description === undefined) continue;
    Object.assign(schema.properties?.[name] ?? {}, { description });
    undocumented.delete(name);
  }
}

function collectProperties(
  builder: SchemaBuilder,
  schema: JSONSchema,
  byName: Map<string, JSONSchema[]>,
  seen: Set<string>,
): void {
  builder.spend();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    byName.set(name, [...(byName.get(name) ?? []), property]);
  }
  for (const part of schema.allOf ?? []) collectProperties(builder, part, byName, seen);
  if (schema.$ref === undefined || seen.has(schema.$ref)) return;
  seen.add(schema.$ref);
  const target = builder.unflattened(schema.$ref);
  if (target) collectProperties(builder, target, byName, seen);
}

/**
 * Removes properties. Keeps only the shape, because constraints of the whole object may not apply to the remaining
 * properties.
 */
export function withoutProperties(schema: JSONSchema, names: readonly string[]): JSONSchema {
  return reshape(schema, (name) => !names.includes(name));
}

/** Keeps only some properties. */
export function onlyProperties(schema: JSONSchema, names: readonly string[]): JSONSchema {
  return reshape(schema, (name) => names.includes(name));
}

/** Makes all properties optional, or all required. */
export function withRequired(schema: JSONSchema, all: boolean): JSONSchema {
  const shape = reshape(schema, () => true);
  const names = Object.keys(shape.properties ?? {}).sort();
  if (all && names.length > 0) shape.required = names;
  else delete shape.required;
  return withSetOnceRules(shape);
}

function reshape(schema: JSONSchema, keep: (name: string) => boolean): JSONSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => keep(name));
  const required = (schema.required ?? []).filter(keep);
  return withSetOnceRules({
    type: "object",
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
  });
}

/** Sets the parent's rules for immutable properties, which depend on whether a property is optional. */
function withSetOnceRules({ "x-kubernetes-validations": _, ...schema }: JSONSchema): JSONSchema {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name)) continue;
    if (property["x-kubernetes-validations"]?.some(isImmutableRule)) addRule(schema, setOnceRule(name));
  }
  return schema;
}
