import { isJsonObject, type JsonObject } from "../../json/object.ts";
import { keyOf } from "../schema/list-types.ts";
import { itemsOf, type Schema } from "../schema/schema.ts";
import type { Step } from "./paths.ts";

/** Whether items of a list are told apart; otherwise the list is one value. */
export function isAssociative(schema: Schema | undefined): boolean {
  const type = schema?.["x-kubernetes-list-type"];
  return type === "set" || type === "map";
}

/** What tells an item from the others of its list. Keys that the item lacks have their defaults. */
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
