import type { JSONSchemaProps } from "../../api/apiextensions/v1.ts";

/** A structural schema of a CustomResourceDefinition, as far as objects are judged by it. */
export type Schema = JSONSchemaProps;

/** The schema of a list's items. */
export function itemsOf(schema: Schema | undefined): Schema | undefined {
  return schema?.items as Schema | undefined;
}

/** The schema of a field, by its name or that of all other fields. */
export function fieldOf(schema: Schema | undefined, name: string): Schema | undefined {
  const { properties } = schema ?? {};
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return additionalOf(schema);
}

/** The schema of fields that have no own one. */
export function additionalOf(schema: Schema | undefined): Schema | undefined {
  const additional: unknown = schema?.additionalProperties;
  if (additional === true) return {};
  return typeof additional === "object" && additional !== null ? (additional as Schema) : undefined;
}
