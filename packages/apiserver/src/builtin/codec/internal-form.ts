import { type Json, type JsonObject, sortKeys } from "@kubewright/cel/json";
import { dataFile } from "../../data/data.ts";
import { newestVersion } from "../../data/versions.ts";

interface InternalField {
  json: string;
  /** The name in v1, with `metadata.` before it for embedded metadata; undefined for fields with rules of their own. */
  from?: string;
  go: string;
  omit?: boolean;
}

const types = dataFile<Record<string, readonly InternalField[]>>("internal-types.json");

/**
 * Converts a value of v1 to the JSON of the internal Go type, which kube-apiserver prints in messages about structs: names
 * of Go fields, in their order, with the values of absent ones.
 *
 * @param type - the internal type, such as `core.PodSpec`, `*core.Affinity` or `[]core.Toleration`
 * @param value - the value of v1; undefined if it is absent
 * @returns the JSON
 * @throws Error if the type isn't among the extracted ones
 */
export function internalForm(type: string, value: Json | undefined): Json {
  if (type.startsWith("*")) return value === undefined || value === null ? null : internalForm(type.slice(1), value);
  if (type.startsWith("[]")) {
    return Array.isArray(value) ? value.map((item) => internalForm(type.slice(2), item)) : null;
  }
  if (type.startsWith("map[]")) {
    if (value === undefined || value === null) return null;
    const items = Object.entries(sortKeys(value) as JsonObject);
    return Object.fromEntries(items.map(([key, item]) => [key, internalForm(type.slice("map[]".length), item)]));
  }
  if (type === "string") return value ?? "";
  if (type === "number") return value ?? 0;
  if (type === "bool") return value ?? false;
  if (type === "value") return value ?? null;
  const fields = types(newestVersion)[type];
  if (fields === undefined) throw new Error(`${type}: not among the internal types`);
  const object = (value ?? {}) as JsonObject;
  return structForm(fields, object);
}

function structForm(fields: readonly InternalField[], object: JsonObject): JsonObject {
  const form: JsonObject = {};
  for (const { json, from = json, go, omit } of fields) {
    const value = from.startsWith("metadata.")
      ? ((object.metadata ?? {}) as JsonObject)[from.slice("metadata.".length)]
      : object[from];
    if (omit && isEmpty(value)) continue;
    form[json] = internalForm(go, value);
  }
  return form;
}

function isEmpty(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value;
}
