import type { Schema } from "../schema/schema.ts";
import type { FieldError } from "../validation/field-error.ts";
import { at, child, forbiddenValue, required } from "../validation/paths.ts";

/**
 * Checks that the items of sets and the keys of maps can't be null or absent.
 *
 * @param schema - the schema of a value, of any type
 * @param path - its path
 * @returns the errors
 */
export function listMapKeyErrors(schema: Schema, path: string): FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  const { items } = schema;
  if (items === undefined || Array.isArray(items) || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  const itemsPath = child(path, "items");
  if (items.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenValue(child(itemsPath, "nullable"), detail));
  }
  if (listType === "set") return errors;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    if (property === undefined) continue;
    const field = at(child(itemsPath, "properties"), key);
    const hasDefault = property.default !== undefined && property.default !== null;
    if (!items.required?.includes(key) && !hasDefault) {
      const detail =
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
      errors.push(required(child(field, "default"), detail));
    }
    if (property.nullable === true) {
      const detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
      errors.push(forbiddenValue(child(field, "nullable"), detail));
    }
  }
  return errors;
}
