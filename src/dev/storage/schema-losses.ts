/** A structural schema. */
export interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
}

/** Fields that the server stores without a schema. */
const metaFields = ["apiVersion", "kind", "metadata"];

/**
 * Returns the fields of an object that a schema would drop or refuse.
 *
 * @param object - the object, in the version of the schema
 * @param schema - the schema; `undefined` for a version without one, which keeps nothing
 * @returns paths such as `spec.ports[].name`
 */
export function lossesOf(object: Readonly<Record<string, unknown>>, schema: Schema | undefined): Set<string> {
  const losses = new Set<string>();
  const own = Object.fromEntries(Object.entries(object).filter(([name]) => !metaFields.includes(name)));
  collect(own, { ...schema, type: "object" }, "", losses);
  return losses;
}

function collect(value: unknown, schema: Schema, path: string, losses: Set<string>): void {
  if (!isValid(value, schema)) {
    losses.add(path);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      if (schema.items) collect(item, schema.items, `${path}[]`, losses);
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const { properties = {}, additionalProperties: additional } = schema;
  const keepsAll = schema["x-kubernetes-preserve-unknown-fields"] === true || additional === true;
  for (const [name, field] of Object.entries(value)) {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const inner = path === "" ? name : `${path}.${name}`;
    if (child) collect(field, child, inner, losses);
    else if (typeof additional === "object") collect(field, additional, `${path}.*`, losses);
    else if (!(keepsAll || (schema["x-kubernetes-embedded-resource"] && metaFields.includes(name)))) losses.add(inner);
  }
}

/** Whether the server still accepts a value. Limits of values aren't checked: nothing is dropped because of them. */
function isValid(value: unknown, schema: Schema): boolean {
  if (value === null) return true;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema["x-kubernetes-int-or-string"]) return typeof value === "string" || isInteger(value);
  switch (schema.type) {
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    case "array":
      return Array.isArray(value);
    case "string":
    case "boolean":
      return typeof value === schema.type;
    case "integer":
      return isInteger(value);
    case "number":
      return typeof value === "number" || isInteger(value);
    default:
      return true;
  }
}

function isInteger(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}
