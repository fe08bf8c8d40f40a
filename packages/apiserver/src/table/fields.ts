import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { humanDuration } from "./duration.ts";

/** Reads the value at a path of keys; undefined if there is none. */
export function valueAt(object: Json | undefined, ...path: readonly string[]): Json | undefined {
  let value: Json | undefined = object;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value ?? undefined;
}

/** Returns the text at a path; empty if there is none. */
export function textAt(object: Json | undefined, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns the number at a path; 0 if there is none. */
export function numberAt(object: Json | undefined, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** Returns the object at a path, if there is one. */
export function objectAt(object: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const value = valueAt(object, ...path);
  return isObject(value) ? value : undefined;
}

/** Returns the objects in the list at a path. */
export function objectsAt(object: Json | undefined, ...path: readonly string[]): JsonObject[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the texts in the list at a path. */
export function textsAt(object: Json | undefined, ...path: readonly string[]): string[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Returns the number of keys of the object at a path. */
export function sizeAt(object: Json | undefined, ...path: readonly string[]): number {
  return Object.keys(objectAt(object, ...path) ?? {}).length;
}

/** Returns the condition of a type. */
export function conditionOf(conditions: readonly JsonObject[], type: string): JsonObject | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Returns how long ago a time was; `<unknown>` without a time. */
export function since(time: Json | undefined, now: number): string {
  return typeof time === "string" && time !== "" ? humanDuration(now - Date.parse(time)) : "<unknown>";
}

/** Returns the age of an object. */
export function age(object: JsonObject, now: number): string {
  return since(valueAt(object, "metadata", "creationTimestamp"), now);
}

/** Returns the name of an object. */
export function nameOf(object: JsonObject): string {
  return textAt(object, "metadata", "name");
}

/** Lists at most some of the values, and counts the others. */
export function shortList(values: readonly string[], most: number, empty: string, separator = ","): string {
  const shown = values.slice(0, most).join(separator);
  if (values.length > most) return `${shown} + ${values.length - most} more...`;
  return shown === "" ? empty : shown;
}

/** Returns labels as `key=value` in the order of their keys; `<none>` without labels. */
export function formatLabels(labels: JsonObject | undefined): string {
  const texts = Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${textAt(labels, key)}`);
  return texts.join(",") || "<none>";
}
