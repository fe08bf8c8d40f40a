import { isJsonObject, type JsonObject } from "../../json/object.ts";
import { type FieldError, fieldError, goJson } from "./field-error.ts";
import { additionalOf, itemsOf, type Schema } from "./schema.ts";

/** Returns the duplicates in lists of type set or map. */
export function listTypeErrors(value: unknown, schema: Schema | undefined, path = ""): FieldError[] {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return [
      ...duplicates(value, schema, path),
      ...value.flatMap((item, index) => listTypeErrors(item, items, `${path}[${index}]`)),
    ];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const own = schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (own) return listTypeErrors(field, own, path === "" ? name : `${path}.${name}`);
    const additional = additionalOf(schema);
    return additional ? listTypeErrors(field, additional, `${path}[${name}]`) : [];
  });
}

function duplicates(list: readonly unknown[], schema: Schema | undefined, path: string): FieldError[] {
  switch (schema?.["x-kubernetes-list-type"]) {
    case "set":
      return repeated(list).map((index) => fieldError("FieldValueDuplicate", `${path}[${index}]`, list[index]));
    case "map":
      return duplicateKeys(list, schema["x-kubernetes-list-map-keys"] ?? [], path);
    default:
      return [];
  }
}

function duplicateKeys(list: readonly unknown[], names: readonly string[], path: string): FieldError[] {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger !== -1) {
    const message = "must be an object for an array of list-type map";
    return [fieldError("FieldValueInvalid", `${path}[${stranger}]`, list[stranger], message)];
  }
  const keys = list.map((item) => keyOf(item as JsonObject | null, names));
  return repeated(keys).map((index) => fieldError("FieldValueDuplicate", `${path}[${index}]`, keys[index]));
}

/** Returns the keys that identify an item of a list map. */
export function keyOf(item: JsonObject | null, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (item && Object.hasOwn(item, name) ? [[name, item[name]]] : [])));
}

// Returns the index of the second occurrence of each repeated value.
function repeated(values: readonly unknown[]): number[] {
  const counts = new Map<string, number>();
  return values.flatMap((value, index) => {
    const text = goJson(value);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 2 ? [index] : [];
  });
}
