import { byteLength } from "../json/bytes.ts";
import type { StructDeclaration } from "../language/declarations/environment.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  type Type,
  timestampType,
} from "../language/declarations/type.ts";
import type { Schema } from "../schema/schema.ts";

/** The name of the type of a rule's root. Messages show a number after it, which differs from server to server. */
export const rootType = "selfType1";

/** The largest request, which bounds the sizes of data. */
export const maxRequestBytes: number = 3 * 1024 * 1024;

/** The names that expressions can't use as identifiers. */
export const keywords: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
const escapes: Record<string, string> = { ".": "__dot__", "-": "__dash__", "/": "__slash__", __: "__underscores__" };

/**
 * Escapes the name of a property for expressions.
 *
 * @param name - the name
 * @returns the identifier, or undefined for names that can't be escaped
 */
export function escapeName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (part) => escapes[part] as string);
}

/** The type of data of a schema, with bounds of its size. */
export interface DataType {
  type: Type;
  /** The largest number of characters, items or entries. */
  maxElements: number;
  /** The smallest number of bytes in JSON. */
  minSize: number;
  /** The types of fields, by escaped name. */
  fields?: Map<string, DataType>;
  /** The type of items or values. */
  element?: DataType;
}

/** Adds the fields that rules at the root of a resource can read. */
export function withObjectMeta(schema: Schema): Schema {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const named =
    metadata?.type === "object" &&
    metadata.properties?.name?.type === "string" &&
    metadata.properties.generateName?.type === "string";
  if (kind?.type === "string" && apiVersion?.type === "string" && named) return schema;
  const text: Schema = { type: "string" };
  const meta: Schema = { type: "object", properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata: meta } };
}

/**
 * Converts a schema to the type of its data.
 *
 * @param schema - a structural schema
 * @param isRoot - true for the root of a resource
 * @param name - the name for the type of objects
 * @param structs - receives the types of objects
 * @returns the type, or undefined if rules can't read the data
 */
export function dataType(
  schema: Schema,
  isRoot: boolean,
  name: string,
  structs: Map<string, StructDeclaration>,
): DataType | undefined {
  const text = (type: Type, maxElements: number, minSize: number): DataType => ({ type, maxElements, minSize });
  const positive = (value: number) => Math.max(0, value);
  if (schema["x-kubernetes-int-or-string"]) {
    return text(dynType, schema.maxLength === undefined ? maxRequestBytes - 2 : positive(schema.maxLength) * 4, 1);
  }
  const root = isRoot ? withObjectMeta(schema) : schema;
  switch (root.type) {
    case "array": {
      const items = root.items;
      const element =
        items && dataType(items, items["x-kubernetes-embedded-resource"] === true, `${name}.@idx`, structs);
      if (element === undefined) return undefined;
      const max =
        root.maxItems === undefined
          ? Math.floor((maxRequestBytes - 2) / (element.minSize + 1))
          : positive(root.maxItems);
      return { type: listType(element.type), maxElements: max, minSize: 2, element };
    }
    case "object":
      return objectType(root, name, structs);
    case "string":
      return stringDataType(root, text, positive);
    case "boolean":
      return text(boolType, 0, 4);
    case "number":
      return text(doubleType, 0, 1);
    case "integer":
      return text(intType, 0, 1);
    default:
      return undefined;
  }
}

function objectType(schema: Schema, name: string, structs: Map<string, StructDeclaration>): DataType | undefined {
  const values = schema.additionalProperties;
  if (typeof values === "object") {
    const element = dataType(values, values["x-kubernetes-embedded-resource"] === true, `${name}.@elem`, structs);
    if (element === undefined) return undefined;
    const max =
      schema.maxProperties === undefined
        ? Math.floor((maxRequestBytes - 2) / (element.minSize + 6))
        : Math.max(0, schema.maxProperties);
    return { type: mapType(stringType, element.type), maxElements: max, minSize: 2, element };
  }
  const fields = new Map<string, DataType>();
  const required = new Set(schema.required);
  let minSize = 2;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const field = dataType(property, property["x-kubernetes-embedded-resource"] === true, `${name}.${key}`, structs);
    if (field === undefined) continue;
    const escaped = escapeName(key);
    if (escaped !== undefined) fields.set(escaped, field);
    if (keywords.has(key)) fields.set(key, field);
    if (required.has(key) && property.default === undefined) minSize += byteLength(key) + field.minSize + 4;
  }
  structs.set(name, { fields: new Map([...fields].map(([key, field]) => [key, field.type])) });
  return { type: structType(name), maxElements: 0, minSize, fields };
}

function stringDataType(
  schema: Schema,
  text: (type: Type, maxElements: number, minSize: number) => DataType,
  positive: (value: number) => number,
): DataType {
  switch (schema.format) {
    case "byte":
      return text(bytesType, schema.maxLength === undefined ? maxRequestBytes - 2 : positive(schema.maxLength), 2);
    case "duration":
      return text(durationType, 32, 4);
    case "date":
      return text(timestampType, 12, 12);
    case "date-time":
      return text(timestampType, 32, 22);
    default:
  }
  if (schema.maxLength !== undefined) return text(stringType, positive(schema.maxLength) * 4, 2);
  if (schema.enum === undefined || schema.enum.length === 0) return text(stringType, maxRequestBytes - 2, 2);
  return text(
    stringType,
    Math.max(0, ...schema.enum.map((value) => (typeof value === "string" ? byteLength(value) : 0))),
    2,
  );
}

/**
 * Finds the bound of the size of the data at a path.
 *
 * @param root - the type of the variable that the path begins with
 * @param path - the variable, fields, `@items`, `@values` and `@keys`
 * @returns the bound, or undefined if there is none
 */
export function sizeAt(root: DataType, path: readonly string[]): number | undefined {
  let at: DataType | undefined = root;
  for (const part of path.slice(1)) {
    if (part === "@keys")
      at =
        at.element && at.type.kind === "map"
          ? // The real server estimates keys as empty.
            { type: stringType, maxElements: 0, minSize: 2 }
          : undefined;
    else at = part === "@items" || part === "@values" ? at.element : at.fields?.get(part);
    if (at === undefined) return undefined;
  }
  return at.maxElements;
}
