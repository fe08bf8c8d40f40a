import { addRule, isImmutableRule, setOnceRule } from "./apply/rules.ts";
import type { SchemaBuilder } from "./builder.ts";
import type { JSONSchema } from "./json-schema.ts";

/** The names of all properties that a schema has, those of what it refers to included. */
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
 * Gives properties back the references that they had before all was resolved. Merging is not done twice: limits that contradict
 * each other would change places.
 */
export function withReferences(builder: SchemaBuilder, resolved: JSONSchema, original: JSONSchema): JSONSchema {
  if (!resolved.properties) return resolved;
  const found = new Map<string, JSONSchema[]>();
  collectProperties(builder, original, found, new Set());
  const properties = Object.entries(resolved.properties).map(([name, property]) => {
    const [only, another] = found.get(name) ?? [];
    return [name, only && !another ? only : property];
  });
  return { ...resolved, properties: Object.fromEntries(properties) };
}

/**
 * What says nothing of itself is described as by the parent that declares it first, as editors show it. `schema` is changed:
 * its properties named here lose their place among the names once they have a description.
 */
export function inheritDescriptions(
  builder: SchemaBuilder,
  schema: JSONSchema,
  parent: JSONSchema,
  undocumented: Set<string>,
): void {
  if (undocumented.size === 0) return;
  const found = new Map<string, JSONSchema[]>();
  collectProperties(builder, parent, found, new Set());
  for (const name of undocumented) {
    const description = found.get(name)?.find((property) => property.description !== undefined)?.description;
    if (description === undefined) continue;
    Object.assign(schema.properties?.[name] ?? {}, { description });
    undocumented.delete(name);
  }
}

function collectProperties(
  builder: SchemaBuilder,
  schema: JSONSchema,
  found: Map<string, JSONSchema[]>,
  seen: Set<string>,
): void {
  builder.spend();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    found.set(name, [...(found.get(name) ?? []), property]);
  }
  for (const part of schema.allOf ?? []) collectProperties(builder, part, found, seen);
  if (schema.$ref === undefined || seen.has(schema.$ref)) return;
  seen.add(schema.$ref);
  const target = builder.unflattened(schema.$ref);
  if (target) collectProperties(builder, target, found, seen);
}

/** Takes properties away. What is said about the whole object may not be true of the rest, so only its shape stays. */
export function withoutProperties(schema: JSONSchema, names: readonly string[]): JSONSchema {
  return reshape(schema, (name) => !names.includes(name));
}

/** Leaves some properties only. */
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

/** What an immutable property asks of its parent depends on whether the property may be missing there. */
function withSetOnceRules({ "x-kubernetes-validations": _, ...schema }: JSONSchema): JSONSchema {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name)) continue;
    if (property["x-kubernetes-validations"]?.some(isImmutableRule)) addRule(schema, setOnceRule(name));
  }
  return schema;
}
