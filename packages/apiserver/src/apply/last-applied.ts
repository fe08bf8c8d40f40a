import { goJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { metadataOf, textOf } from "./metadata.ts";
import { compare } from "./typed/compare.ts";
import type { FieldSet } from "./typed/field-set.ts";
import { toFieldSet } from "./typed/to-field-set.ts";
import { validateType } from "./typed/validate.ts";
import type { ValueType } from "./typed/value-type.ts";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const annotationsSizeLimit = 256 * 1024;

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const { annotations } = metadataOf(object);
  return isObject(annotations) && Object.values(annotations).every((value) => typeof value === "string")
    ? annotations
    : undefined;
}

/** Returns the configuration that `kubectl apply` stored in the object; empty if there is none. */
export function lastApplied(object: JsonObject): string {
  return textOf(annotationsOf(object)?.[annotation]);
}

/**
 * Returns the fields that client-side apply owns: those of the last configuration whose values are still the same. An apply
 * of kubectl on the server takes them over without conflicts.
 *
 * @param type - the type of the object
 * @param live - the object
 * @param apiVersion - the version of the object
 * @returns the fields, or undefined without a usable configuration
 */
export function fieldsOfLastApplied(type: ValueType, live: JsonObject, apiVersion: string): FieldSet | undefined {
  let config: Json;
  try {
    config = JSON.parse(lastApplied(live)) as Json;
  } catch {
    return undefined;
  }
  if (!isObject(config) || config.apiVersion !== apiVersion || textOf(config.kind) === "") return undefined;
  if (validateType(type, config).length > 0 || validateType(type, live).length > 0) return undefined;
  const { modified, added, removed } = compare(type, config, live);
  return toFieldSet(type, config).difference(modified).difference(added).difference(removed);
}

/**
 * Updates the configuration in an object that `kubectl apply` once created and that kubectl now applies on the server.
 *
 * @param object - the object
 * @param config - the applied configuration
 * @returns the object with the configuration in its annotation, or without it if the annotations would be too large
 */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const { [annotation]: _, ...others } = annotationsOf(object) ?? {};
  const annotations: JsonObject = { ...others, [annotation]: `${goJson(withoutLastApplied(config))}\n` };
  const size = Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value as string),
    0,
  );
  const kept = size > annotationsSizeLimit ? others : annotations;
  return { ...object, metadata: { ...metadataOf(object), annotations: kept } };
}

function withoutLastApplied(config: JsonObject): JsonObject {
  const annotations = annotationsOf(config);
  if (annotations === undefined) return config;
  const { [annotation]: _, ...others } = annotations;
  return { ...config, metadata: { ...metadataOf(config), annotations: others } };
}
