import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import { isObject, type Json, type JsonObject } from "../../kubernetes/json.ts";
import type { Field, Shape, Struct } from "./shape.ts";

export { isObject, type Json, type JsonObject } from "../../kubernetes/json.ts";

/** Thrown for a value that doesn't match its shape. `path` has the form `clientConfig.service.port`. */
export class ShapeProblem extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(path === "" ? message : `${path}: ${message}`);
    this.name = "ShapeProblem";
    this.path = path;
  }
}

/**
 * Normalizes a value as controller-gen does: absent and empty values are omitted, or written if the field requires it.
 *
 * @throws ShapeProblem for unknown keys and values of a wrong type
 */
export function normalize(value: Json, shape: Shape, path = ""): Json {
  switch (shape.kind) {
    case "string":
      if (value === null) return "";
      return expectType(typeof value === "string", value, path, "a string");
    case "int32":
      expectType(value === null || isInt32(value), value, path, "a 32-bit integer");
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
    const advice = near === undefined ? `must be one of ${Object.keys(fields).join(", ")}` : `did you mean "${near}"?`;
    throw new ShapeProblem(path, `unknown field ${JSON.stringify(key)}: ${advice}`);
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

/** Returns whether Go's `omitempty` omits a value. */
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

/** Returns the path of a key. */
export function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
