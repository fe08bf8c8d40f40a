import type { Marker } from "../../markers/index.ts";
import type { JSONSchema } from "../json-schema.ts";
import type { ApplyContext } from "./effect.ts";
import { itemsPrefix, schemaEffects, validationPrefix } from "./effects.ts";

const places: readonly { readonly schema: JSONSchema; readonly one: string; readonly many: string }[] = [
  { schema: { type: "string" }, one: "a string", many: "strings" },
  { schema: { type: "number" }, one: "a number", many: "numbers" },
  { schema: { type: "boolean" }, one: "a boolean", many: "booleans" },
  { schema: { type: "array", items: {} }, one: "a list", many: "lists" },
  { schema: { type: "array", "x-kubernetes-list-type": "map" }, one: "a list with `+listType=map`", many: "lists" },
  { schema: { type: "object" }, one: "an object or a map", many: "objects or maps" },
];

/**
 * Suggests a valid place or form for a marker that can't be applied to `schema`. Tries the effects themselves, so that the
 * suggestion always matches them. Returns undefined if the value of the marker is invalid.
 */
export function belongsOn(
  marker: Marker,
  schema: JSONSchema,
  place: Omit<ApplyContext, "markerName">,
): string | undefined {
  const forItems = marker.name.startsWith(itemsPrefix);
  const plain = forItems ? validationPrefix + marker.name.slice(itemsPrefix.length) : marker.name;
  const items = itemsPrefix + plain.slice(validationPrefix.length);
  const takes = (name: string, on: JSONSchema) =>
    schemaEffects.get(name)?.apply({ ...on }, marker.value, { ...place, markerName: name }) === undefined;
  const isList = schema.type === "array";
  if (!forItems && isList && schema.items && schemaEffects.has(items) && takes(items, schema.items)) {
    return `use +${items} for the items of the list`;
  }
  if (forItems && !isList && takes(plain, schema)) return `use +${plain}: only a list has items`;
  if (takes(plain, { type: "number" }) && (schema.type === "integer" || schema.items?.type === "integer")) {
    return "use an integer";
  }
  const there = places.find((each) => takes(plain, each.schema));
  if (!there) return undefined;
  return `it belongs on ${forItems ? `a list of ${there.many}` : there.one}`;
}
