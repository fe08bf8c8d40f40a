import type { Marker, SchemaContext } from "../../markers/index.ts";
import type { JSONSchema } from "../model/json-schema.ts";
import { isIntOrString } from "../model/known-types.ts";

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
  { value, definition: { schema: apply, itemsName, plainName } }: Marker,
  schema: JSONSchema,
  context: SchemaContext,
): string | undefined {
  const takes = (on: JSONSchema) => apply?.({ ...on }, value, context) === undefined;
  const forItems = plainName !== undefined;
  const isList = schema.type === "array";
  if (itemsName !== undefined && isList && schema.items && takes(schema.items)) {
    return `use +${itemsName} for the items of the list`;
  }
  if (forItems && isList && !schema.items) return "use it on the declaration of the list type";
  if (forItems && !isList && takes(schema)) return `use +${plainName}: only a list has items`;
  if (takes({ type: "number" }) && (schema.type === "integer" || schema.items?.type === "integer")) {
    return "use an integer";
  }
  if (
    schema.type === undefined &&
    !forItems &&
    takes({ "x-kubernetes-int-or-string": true }) &&
    isIntOrString(schema)
  ) {
    return "add +kubebuilder:validation:XIntOrString";
  }
  const there = places.find((place) => takes(place.schema));
  if (!there) return undefined;
  if (schema.type === undefined && schema.$ref === undefined && !forItems && there.schema.type !== undefined) {
    return `add +kubebuilder:validation:Type=${there.schema.type}`;
  }
  return `it belongs on ${forItems ? `a list of ${there.many}` : there.one}`;
}
