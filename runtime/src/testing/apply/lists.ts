import { isJsonObject, type JsonObject } from "../../json/object.ts";
import { keyOf } from "../schema/list-types.ts";
import { itemsOf, type Schema } from "../schema/schema.ts";
import type { Step } from "./paths.ts";

/** Checks whether a list identifies its items (set or map). Otherwise, the list is a single value. */
export function isAssociative(schema: Schema | undefined): boolean {
  const type = schema?.["x-kubernetes-list-type"];
  return type === "set" || type === "map";
}

/** Returns the step that identifies an item of a list. Missing keys get their defaults. */
export function stepOf(item: unknown, schema: Schema | undefined): Step {
  if (schema?.["x-kubernetes-list-type"] !== "map") return { value: item };
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const { properties = {} } = itemsOf(schema) ?? {};
  const defaults: JsonObject = {};
  for (const name of names) {
    const value: unknown = properties[name]?.default;
    if (value !== undefined) defaults[name] = value;
  }
  return { key: { ...defaults, ...keyOf(isJsonObject(item) ? item : null, names) } };
}
