import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { Field, Shape, Struct } from "./shape.ts";

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Why a value has no place where it stands. `path` is such as `clientConfig.service.port`. */
export class ShapeProblem extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(path === "" ? message : `${path}: ${message}`);
    this.name = "ShapeProblem";
    this.path = path;
  }
}

/** Whether a value is an object of JSON. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Gives a value the form in which the reference writes it: what is absent or empty is left out, or written where the
 * field demands it. Throws a `ShapeProblem` for unknown keys and values of another type.
 */
export function normalize(value: Json, shape: Shape, path = ""): Json {
  switch (shape.kind) {
    case "string":
      if (value === null) return "";
      return expectType(typeof value === "string", value, path, "a string");
    case "int32":
      expectType(value === null || isInt32(value), value, path, "a whole number of 32 bits");
      return Number(value) | 0;
    case "bytes":
      if (value === null) return "";
      return expectType(typeof value === "string" && isBase64(value), value, path, "base64");
    case "list":
      if (value === null) return null;
      expectType(Array.isArray(value), value, path, "a list");
      return (value as readonly Json[]).map((item, index) => normalize(item, shape.item, `${path}[${index}]`));
    case "map": {
      if (value === null) return null;
      expectType(isObject(value), value, path, "an object");
      const entries = Object.entries(value as JsonObject);
      return Object.fromEntries(entries.map(([key, item]) => [key, normalize(item, shape.item, below(path, key))]));
    }
    case "struct":
      expectType(value === null || isObject(value), value, path, "an object");
      return normalizeStruct((value ?? {}) as JsonObject, shape, path);
  }
}

function normalizeStruct(value: JsonObject, { fields }: Struct, path: string): JsonObject {
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(fields, key)) continue;
    const near = didYouMean(key, Object.keys(fields));
    const advice = near === undefined ? `known are ${Object.keys(fields).join(", ")}` : `did you mean "${near}"?`;
    throw new ShapeProblem(path, `there is no field ${JSON.stringify(key)}, ${advice}`);
  }
  const written: Record<string, Json> = {};
  for (const [key, field] of Object.entries(fields)) {
    const result = normalizeField(value[key], field, below(path, key));
    if (result !== undefined) written[key] = result;
  }
  return written;
}

function normalizeField(value: Json | undefined, { shape, always, pointer }: Field, path: string): Json | undefined {
  if ((value === undefined || value === null) && !always) return undefined;
  const result = normalize(value ?? null, shape, path);
  return always || pointer || !isEmpty(result) ? result : undefined;
}

/** What Go leaves out under `omitempty`. */
function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === "" || (isObject(value) && Object.keys(value).length === 0);
}

function expectType<Value extends Json>(right: boolean, value: Value, path: string, expected: string): Value {
  if (right) return value;
  throw new ShapeProblem(path, `expected ${expected}, got ${JSON.stringify(value)}`);
}

function isInt32(value: Json): boolean {
  return typeof value === "number" && (value | 0) === value;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** The path of a key. */
export function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
