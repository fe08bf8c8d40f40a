import type { JSONSchema } from "../../../kubernetes/json-schema.ts";

export type { JSONSchema, JSONValue, ValidationRule } from "../../../kubernetes/json-schema.ts";

/** Returns whether a schema has child schemas. */
export function hasChildren(schema: JSONSchema): boolean {
  return (
    schema.properties !== undefined ||
    schema.items !== undefined ||
    typeof schema.additionalProperties === "object" ||
    schema.allOf !== undefined ||
    schema.anyOf !== undefined ||
    schema.oneOf !== undefined ||
    schema.not !== undefined
  );
}

/** Calls `visit` with each direct child. */
export function visitChildren(schema: JSONSchema, visit: (child: JSONSchema) => void): void {
  if (schema.items) visit(schema.items);
  if (schema.allOf) for (const child of schema.allOf) visit(child);
  if (schema.anyOf) for (const child of schema.anyOf) visit(child);
  if (schema.oneOf) for (const child of schema.oneOf) visit(child);
  if (schema.not) visit(schema.not);
  const { properties } = schema;
  if (properties) for (const name of Object.keys(properties)) visit(properties[name] as JSONSchema);
  if (typeof schema.additionalProperties === "object") visit(schema.additionalProperties);
}

/** Returns a copy in which `change` has replaced each direct child; the schema itself if nothing changed. */
export function mapChildren(schema: JSONSchema, change: (child: JSONSchema) => JSONSchema): JSONSchema {
  const changed: JSONSchema = {};
  if (schema.items) changed.items = change(schema.items);
  for (const key of ["allOf", "anyOf", "oneOf"] as const) {
    const children = schema[key];
    if (children) changed[key] = children.map(change);
  }
  if (schema.not) changed.not = change(schema.not);
  if (schema.properties) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, change(child)]),
    );
  }
  if (typeof schema.additionalProperties === "object") {
    changed.additionalProperties = change(schema.additionalProperties);
  }
  return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed };
}
