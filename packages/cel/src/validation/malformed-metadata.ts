// Metadata of wrong types, which only webhooks and policies can give to custom resources.
import { isObject, type Json } from "../json/json.ts";
import { type FieldType, objectMeta } from "./decode-metadata.ts";
import type { FieldError } from "./field-error.ts";
import { normalizeTime } from "./metadata-time.ts";
import { invalidValue } from "./paths.ts";

/** The fields that the server sets itself, whatever they contain. */
const replaced = new Set(["namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp"]);

/**
 * Checks the types of the fields of metadata.
 *
 * @param metadata - the metadata of a custom resource
 * @returns an error with Go's message about the first field of the wrong type, in the order of Go's struct; undefined if there
 *   is none. Fields that the server sets itself can have any type
 */
export function malformedMetadata(metadata: Json | undefined): FieldError | undefined {
  if (!isObject(metadata)) return undefined;
  for (const [name, type] of Object.entries(objectMeta.fields ?? {})) {
    const problem = replaced.has(name) ? undefined : conversionProblem(metadata[name], type);
    if (problem !== undefined) return invalidValue("metadata", metadata, problem);
  }
  return undefined;
}

/** Returns the message of Go's conversion of decoded JSON to a type. */
function conversionProblem(value: Json | undefined, type: FieldType): string | undefined {
  if (value === undefined || value === null) return undefined;
  const given = kindOf(value);
  switch (type.kind) {
    case "string":
    case "int":
    case "bool":
      return isConvertible(value, type) ? undefined : `cannot convert ${goTypes[given] ?? given} to ${type.go}`;
    case "time":
      return timeProblem(value);
    case "raw":
      return undefined;
    case "map":
      if (!isObject(value)) return `cannot restore map from ${given}`;
      return firstProblem(Object.values(value), () => type.of);
    case "list":
      if (!Array.isArray(value)) return `cannot restore slice from ${given}`;
      return firstProblem(value, () => type.of);
    case "struct": {
      if (!isObject(value)) return `cannot restore struct from: ${given}`;
      const fields = Object.entries(type.fields ?? {});
      return firstProblem(
        fields.map(([name]) => value[name]),
        (index) => fields[index]?.[1],
      );
    }
  }
}

function firstProblem(
  values: readonly (Json | undefined)[],
  typeAt: (index: number) => FieldType | undefined,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const type = typeAt(index);
    const problem = type === undefined ? undefined : conversionProblem(value, type);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Go's names of types whose names differ from those of their kinds. */
const goTypes: Readonly<Record<string, string>> = { slice: "[]interface {}", map: "map[string]interface {}" };

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "slice";
  if (isObject(value)) return "map";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
}

function isConvertible(value: Json, type: FieldType): boolean {
  if (type.kind === "int") return typeof value === "bigint" || Number.isInteger(value);
  return typeof value === (type.kind === "bool" ? "boolean" : "string");
}

function timeProblem(value: Json): string | undefined {
  if (typeof value !== "string") {
    const names: Readonly<Record<string, string>> = {
      slice: "array",
      map: "object",
      int64: "number",
      float64: "number",
    };
    const given = kindOf(value);
    return `json: cannot unmarshal ${names[given] ?? given} into Go value of type string`;
  }
  try {
    normalizeTime(value);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
