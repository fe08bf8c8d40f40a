import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { compareBytes, goNumber, setKey } from "../json/values.ts";
import { normalizeTime } from "./metadata-time.ts";

/** A field of the metadata of objects, as Go's types define it. */
export interface FieldType {
  /** Go's name of the type, for messages. */
  go: string;
  /** Go's name of the struct of an object, for messages about its fields. */
  struct?: string;
  kind: "string" | "int" | "bool" | "time" | "raw" | "map" | "list" | "struct";
  of?: FieldType;
  fields?: Record<string, FieldType>;
  /** Fields that are written although they are empty. */
  always?: readonly string[];
  /** Pointers keep zero. */
  pointer?: boolean;
}

const text: FieldType = { go: "string", kind: "string" };
const uid: FieldType = { go: "types.UID", kind: "string" };
const integer: FieldType = { go: "int64", kind: "int" };
const flag: FieldType = { go: "bool", kind: "bool", pointer: true };
const time: FieldType = { go: "v1.Time", kind: "time" };
const map: FieldType = { go: "map[string]string", kind: "map", of: text };
const owner: FieldType = {
  go: "v1.OwnerReference",
  struct: "OwnerReference",
  kind: "struct",
  always: ["apiVersion", "kind", "name", "uid"],
  fields: { apiVersion: text, kind: text, name: text, uid, controller: flag, blockOwnerDeletion: flag },
};
const entry: FieldType = {
  go: "v1.ManagedFieldsEntry",
  struct: "ManagedFieldsEntry",
  kind: "struct",
  fields: {
    manager: text,
    operation: { go: "v1.ManagedFieldsOperationType", kind: "string" },
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: { go: "v1.FieldsV1", kind: "raw" },
    subresource: text,
  },
};
/** The type of the metadata of objects. Its fields are in the order of Go's struct. */
export const objectMeta: FieldType = {
  go: "v1.ObjectMeta",
  struct: "ObjectMeta",
  kind: "struct",
  fields: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid,
    resourceVersion: text,
    generation: integer,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { ...integer, pointer: true },
    labels: map,
    annotations: map,
    ownerReferences: { go: "[]v1.OwnerReference", kind: "list", of: owner },
    finalizers: { go: "[]string", kind: "list", of: text },
    managedFields: { go: "[]v1.ManagedFieldsEntry", kind: "list", of: entry },
  },
};

/** Decoded metadata. */
export interface DecodedMetadata {
  metadata: JsonObject;
  /** The paths of fields that metadata doesn't have, relative to it, for example `ownerReferences[0].x`. */
  unknown: string[];
}

/**
 * Decodes the metadata of an object: drops unknown and empty fields and writes times in UTC.
 *
 * @param value - the value of `metadata`
 * @param dropMalformed - true to drop fields of the wrong type
 * @returns the metadata, with its own objects and lists
 * @throws Error with Go's message if a field has the wrong type
 */
export function decodeMetadata(value: Json, dropMalformed = false): DecodedMetadata {
  const unknown: string[] = [];
  if (!dropMalformed || !isObject(value)) {
    return { metadata: (decode(value, objectMeta, [], "", unknown) ?? {}) as JsonObject, unknown };
  }
  const metadata: JsonObject = {};
  for (const [name, field] of Object.entries(value)) {
    try {
      Object.assign(metadata, decode({ [name]: field as Json }, objectMeta, [], "", unknown));
    } catch {
      // A field of the wrong type is dropped.
    }
  }
  return { metadata, unknown };
}

interface Context {
  struct: string;
  path: string;
}

function mismatch(value: Json, type: FieldType, context: Context | undefined): never {
  let actual: string = typeof value;
  if (Array.isArray(value)) actual = "array";
  else if (actual === "boolean") actual = "bool";
  else if (actual === "bigint") actual = "number";
  if (actual === "number" && type.kind === "int") actual = `number ${goNumber(value as number)}`;
  const target = context === undefined ? "Go value" : `Go struct field ${context.struct}.${context.path}`;
  throw new Error(`json: cannot unmarshal ${actual} into ${target} of type ${type.go}`);
}

function decode(
  value: Json,
  type: FieldType,
  path: readonly string[],
  at: string,
  unknown: string[],
  context?: Context,
): Json | undefined {
  if (value === null) return undefined;
  switch (type.kind) {
    case "string":
      return typeof value === "string" ? value : mismatch(value, type, context);
    case "int":
      return Number.isSafeInteger(value) || typeof value === "bigint" ? value : mismatch(value, type, context);
    case "bool":
      return typeof value === "boolean" ? value : mismatch(value, type, context);
    case "time":
      return typeof value === "string" ? normalizeTime(value) : mismatch(value, text, context);
    case "raw":
      return value;
    case "map": {
      if (!isObject(value)) return mismatch(value, type, context);
      const result: JsonObject = {};
      for (const key of Object.keys(value).sort(compareBytes)) {
        setKey(result, key, decode(value[key] as Json, type.of as FieldType, path, at, unknown, context) ?? "");
      }
      return result;
    }
    case "list": {
      if (!Array.isArray(value)) return mismatch(value, type, context);
      return value.map(
        (item, index) =>
          decode(item, type.of as FieldType, path, `${at}[${index}]`, unknown, context) ??
          emptyOf(type.of as FieldType),
      );
    }
    case "struct":
      return decodeStruct(value, type, path, at, unknown, context);
  }
}

function decodeStruct(
  value: Json,
  type: FieldType,
  path: readonly string[],
  at: string,
  unknown: string[],
  context: Context | undefined,
): JsonObject {
  if (!isObject(value)) return mismatch(value, type, context);
  const fields = type.fields as Record<string, FieldType>;
  const decoded: JsonObject = {};
  for (const name of Object.keys(value).sort(compareBytes)) {
    const fieldAt = at === "" ? name : `${at}.${name}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      unknown.push(fieldAt);
      continue;
    }
    const fieldPath = [...path, name];
    const inner = { struct: type.struct as string, path: fieldPath.join(".") };
    const result = decode(value[name] as Json, field, fieldPath, fieldAt, unknown, inner);
    if (result !== undefined) decoded[name] = result;
  }
  const result: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const present = decoded[name];
    if (type.always?.includes(name)) result[name] = present ?? "";
    else if (present !== undefined && !isEmpty(present, field)) result[name] = present;
  }
  return result;
}

function emptyOf(type: FieldType): Json {
  return type.kind === "struct" ? decodeStruct({}, type, [], "", [], undefined) : "";
}

function isEmpty(value: Json, type: FieldType): boolean {
  if (type.kind === "raw" || type.pointer === true) return false;
  if (type.kind === "time") return value === "0001-01-01T00:00:00Z";
  if (type.kind === "int") return value === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "";
}
