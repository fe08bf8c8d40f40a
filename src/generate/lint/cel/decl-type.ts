// The API server's estimate of a value's size, from its schema alone. The cost of rules depends on these numbers, so they
// match the server's.

import type { JSONSchema } from "../../schema/json-schema.ts";
import { escapeField } from "./names.ts";

/** The type of a value in a rule. `dyn` is any type. */
export type Kind =
  | "bool"
  | "int"
  | "double"
  | "string"
  | "bytes"
  | "duration"
  | "timestamp"
  | "dyn"
  | "list"
  | "map"
  | "object";

/** The type declaration that a rule sees for a schema. */
export interface DeclType {
  readonly kind: Kind;
  /** The maximum number of characters, bytes or elements; 0 for types without a size. */
  readonly max: number;
  /** The minimum number of bytes of a value in JSON. */
  readonly least: number;
  /** For lists and maps. */
  readonly element?: DeclType;
  /** For objects, by the names that rules use. */
  readonly fields?: ReadonlyMap<string, DeclType>;
}

/** The maximum size of a request, in bytes. */
export const mostBytes = 3 * 1024 * 1024;

const text: DeclType = { kind: "string", max: mostBytes - 2, least: 2 };
const metadata = new Map([
  ["name", text],
  ["generateName", text],
]);
const known = { plain: new WeakMap<JSONSchema, DeclType | null>(), root: new WeakMap<JSONSchema, DeclType | null>() };

/**
 * Converts a schema to its CEL type declaration.
 *
 * @param isRoot whether the schema is that of a whole object: rules can always read its metadata and type
 * @returns undefined for values that rules can't access: those without a type, and lists and maps of them
 */
export function declType(schema: JSONSchema, isRoot: boolean): DeclType | undefined {
  const cache = isRoot ? known.root : known.plain;
  const before = cache.get(schema);
  if (before !== undefined) return before ?? undefined;
  const made = convert(schema, isRoot);
  cache.set(schema, made ?? null);
  return made;
}

/** Returns whether a schema is that of an object embedded in another one. */
export function isEmbedded(schema: JSONSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

function convert(schema: JSONSchema, isRoot: boolean): DeclType | undefined {
  if (schema["x-kubernetes-int-or-string"]) {
    return { kind: "dyn", max: schema.maxLength === undefined ? text.max : 4 * limit(schema.maxLength), least: 1 };
  }
  switch (schema.type) {
    case "array":
      return listType(schema);
    case "object":
      return typeof schema.additionalProperties === "object"
        ? mapType(schema, schema.additionalProperties)
        : objectType(schema, isRoot);
    case "string":
      return textType(schema);
    case "boolean":
      return { kind: "bool", max: 0, least: 4 };
    case "number":
      return { kind: "double", max: 0, least: 1 };
    case "integer":
      return { kind: "int", max: 0, least: 1 };
    default:
      return undefined;
  }
}

function listType({ items, maxItems }: JSONSchema): DeclType | undefined {
  const element = items && declType(items, isEmbedded(items));
  if (!element) return undefined;
  const max = maxItems === undefined ? Math.floor((mostBytes - 2) / (element.least + 1)) : limit(maxItems);
  return { kind: "list", max, least: 2, element };
}

function mapType({ maxProperties }: JSONSchema, values: JSONSchema): DeclType | undefined {
  const element = declType(values, isEmbedded(values));
  if (!element) return undefined;
  const max = maxProperties === undefined ? Math.floor((mostBytes - 2) / (element.least + 6)) : limit(maxProperties);
  return { kind: "map", max, least: 2, element };
}

function objectType({ properties = {}, required = [] }: JSONSchema, isRoot: boolean): DeclType {
  const fields = new Map<string, DeclType>();
  const needed = new Set(required);
  let least = 2;
  const add = (name: string, type: DeclType, hasDefault: boolean) => {
    const escaped = escapeField(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (needed.has(name) && !hasDefault) least += Buffer.byteLength(name) + type.least + 4;
  };
  for (const [name, schema] of Object.entries(properties)) {
    if (isRoot && ["apiVersion", "kind", "metadata"].includes(name)) continue;
    const type = declType(schema, isEmbedded(schema));
    if (type) add(name, type, schema.default !== undefined);
  }
  if (isRoot) {
    add("apiVersion", text, false);
    add("kind", text, false);
    add("metadata", { kind: "object", max: 0, least: 2, fields: metadata }, false);
  }
  return { kind: "object", max: 0, least, fields };
}

function textType({ format, maxLength, enum: values }: JSONSchema): DeclType {
  switch (format) {
    case "byte":
      return { kind: "bytes", max: maxLength === undefined ? text.max : limit(maxLength), least: 2 };
    case "duration":
      return { kind: "duration", max: 32, least: 3 };
    case "date":
      return { kind: "timestamp", max: 12, least: 12 };
    case "date-time":
      return { kind: "timestamp", max: 32, least: 21 };
    default:
      break;
  }
  if (maxLength !== undefined) return { ...text, max: 4 * limit(maxLength) };
  if (!values || values.length === 0) return text;
  return {
    ...text,
    max: Math.max(0, ...values.map((each) => (typeof each === "string" ? Buffer.byteLength(each) : 0))),
  };
}

function limit(value: number | bigint): number {
  return Math.max(0, Number(value));
}
