import { textOf } from "@kubewright/cel/crd";
import { isObject, type Json } from "@kubewright/cel/json";
import { findField, type Schema, structuralProblem } from "@kubewright/cel/schema";
import {
  at,
  child,
  duplicateValue,
  type FieldError,
  invalidValue,
  required,
  tooMany,
} from "@kubewright/cel/validation";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const maxSelectableFields = 8;

/**
 * Validates the columns of a version.
 *
 * @param columns - `additionalPrinterColumns`
 * @param path - its path
 * @returns the errors
 */
export function validateColumns(columns: Json | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, column] of (Array.isArray(columns) ? columns : []).entries()) {
    if (!isObject(column)) continue;
    const field = (name: string) => child(at(path, index), name);
    const type = textOf(column.type);
    const format = textOf(column.format);
    const jsonPath = textOf(column.jsonPath);
    if (textOf(column.name) === "") errors.push(required(field("name"), ""));
    const typeRule = `must be one of ${columnTypes.join(",")}`;
    if (type === "") errors.push(required(field("type"), typeRule));
    else if (!columnTypes.includes(type)) errors.push(invalidValue(field("type"), type, typeRule));
    if (format !== "" && !columnFormats.includes(format)) {
      errors.push(invalidValue(field("format"), format, `must be one of ${columnFormats.join(",")}`));
    }
    if (jsonPath === "") errors.push(required(field("JSONPath"), ""));
    else errors.push(...simplePathErrors(jsonPath, field("JSONPath")));
  }
  return errors;
}

function simplePathErrors(jsonPath: string, field: string): FieldError[] {
  return jsonPath.startsWith(".") ? [] : [invalidValue(field, jsonPath, "must be a simple json path starting with .")];
}

/**
 * Validates the subresources of a version.
 *
 * @param subresources - `subresources`
 * @param path - its path
 * @returns the errors
 */
export function validateSubresources(subresources: Json | undefined, path: string): FieldError[] {
  if (!isObject(subresources) || !isObject(subresources.scale)) return [];
  const errors: FieldError[] = [];
  for (const [name, root] of [
    ["specReplicasPath", ".spec"],
    ["statusReplicasPath", ".status"],
  ] as const) {
    const value = textOf(subresources.scale[name]);
    const field = child(path, `scale.${name}`);
    const malformed = simplePathErrors(value, field);
    if (value === "") errors.push(required(field, ""));
    else if (malformed.length > 0) errors.push(...malformed);
    else if (!value.startsWith(`${root}.`)) {
      errors.push(invalidValue(field, value, `should be a json path under ${root}`));
    }
  }
  const selector = textOf(subresources.scale.labelSelectorPath);
  if (selector === "") return errors;
  const field = child(path, "scale.labelSelectorPath");
  const malformed = simplePathErrors(selector, field);
  if (malformed.length > 0) errors.push(...malformed);
  else if (!selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
    errors.push(invalidValue(field, selector, "should be a json path under either .spec or .status"));
  }
  return errors;
}

/**
 * Validates the fields of a version that field selectors may use.
 *
 * @param fields - `selectableFields`
 * @param schema - the schema of the version
 * @param path - the path of the fields
 * @param limited - false if the stored definition has as many fields
 * @returns the errors
 */
export function validateSelectableFields(
  fields: Json[],
  schema: Schema | undefined,
  path: string,
  limited: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const problem = schema === undefined ? undefined : structuralProblem(schema);
  if (problem !== undefined) {
    const versionPath = path.replace(/\.selectableFields$/, "");
    errors.push(invalidValue(child(versionPath, "schema.openAPIV3Schema"), "", problem));
  }
  const seen = new Set<string>();
  for (const [index, selectable] of fields.entries()) {
    const jsonPath = isObject(selectable) ? textOf(selectable.jsonPath) : "";
    const field = child(at(path, index), "jsonPath");
    if (jsonPath === "") {
      errors.push(required(field, ""));
      continue;
    }
    // Without a usable schema, only the beginning of a path can be wrong.
    if (problem !== undefined && jsonPath.startsWith(".") && jsonPath !== ".") continue;
    try {
      const target = findField(jsonPath, schema ?? {}, false);
      if (/^metadata(?:[.[]|$)/.test(target.path)) {
        errors.push(invalidValue(field, jsonPath, "must not point to fields in metadata"));
      }
      if (!["string", "boolean", "integer"].includes(target.schema?.type ?? "")) {
        const detail =
          "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
        errors.push(invalidValue(field, jsonPath, detail));
      }
      if (seen.has(target.path)) errors.push(duplicateValue(field, jsonPath));
      seen.add(target.path);
    } catch (error) {
      errors.push(invalidValue(field, jsonPath, `is an invalid path: ${(error as Error).message}`));
    }
  }
  if (limited && seen.size > maxSelectableFields) errors.push(tooMany(path, seen.size, maxSelectableFields));
  return errors;
}
