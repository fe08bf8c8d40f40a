import type { JSONSchemaProps } from "../../api/apiextensions/v1.ts";

/** A structural schema of a CustomResourceDefinition. Only the parts that validate objects are used. */
export type Schema = JSONSchemaProps;

/** Returns the schema of a list's items. */
export function itemsOf(schema: Schema | undefined): Schema | undefined {
  return schema?.items as Schema | undefined;
}

/** Returns the schema of a field: its property schema, or that of additional properties. */
export function fieldOf(schema: Schema | undefined, name: string): Schema | undefined {
  const { properties } = schema ?? {};
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return additionalOf(schema);
}

/** Returns the schema of additional properties. */
export function additionalOf(schema: Schema | undefined): Schema | undefined {
  const additional: unknown = schema?.additionalProperties;
  if (additional === true) return {};
  return typeof additional === "object" && additional !== null ? (additional as Schema) : undefined;
}
