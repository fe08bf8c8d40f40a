import { cloneJson, type Json, type JsonObject } from "@kubewright/cel/json";
import type { GoField, GoStruct, GoType } from "./go-types.ts";

/** Stands for a nil pointer, slice or map. */
export const nil: unique symbol = Symbol("nil");

/** Returns the value of a field that isn't set. */
export function zero(type: GoType): Json | typeof nil {
  switch (type.form) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
      return 0;
    case "struct":
      return zeroStruct(type.struct());
    case "special":
      if (type.special === "Quantity") return "0";
      if (type.special === "IntOrString") return 0;
      if (type.special === "Duration") return "0s";
      return type.special === "Time" || type.special === "MicroTime" ? null : nil;
    default:
      return nil;
  }
}

const required = new WeakMap<GoStruct, readonly GoField[]>();

/** Returns the fields that Go writes even if they aren't set. */
export function requiredFields(struct: GoStruct): readonly GoField[] {
  let fields = required.get(struct);
  if (fields === undefined) {
    fields = struct.fields.filter(({ type, omit }) => omit === undefined || !isEmpty(type, zero(type), omit));
    required.set(struct, fields);
  }
  return fields;
}

const zeroStructs = new WeakMap<GoStruct, JsonObject>();

function zeroStruct(struct: GoStruct): JsonObject {
  let object = zeroStructs.get(struct);
  if (object === undefined) {
    object = {};
    zeroStructs.set(struct, object);
    for (const { json, type, omit } of struct.fields) {
      const value = zero(type);
      if (omit !== undefined && isEmpty(type, value, omit)) continue;
      object[json] = value === nil ? null : value;
    }
  }
  return cloneJson(object);
}

/** Reports whether Go leaves out the value of an optional field. */
export function isEmpty(type: GoType, value: Json | typeof nil, omit: "empty" | "zero"): boolean {
  if (value === nil) return true;
  switch (type.form) {
    case "pointer":
      return false;
    case "list":
    case "bytes":
      return omit === "empty" && (value as Json[] | string).length === 0;
    case "map":
      return omit === "empty" && Object.keys(value as JsonObject).length === 0;
    case "struct":
      // Structs are never empty for omitempty.
      return omit === "zero" && Object.keys(value as JsonObject).length === 0;
    case "special":
      if (type.special === "Time" || type.special === "MicroTime") return omit === "zero" && value === null;
      return false;
    default:
      return value === "" || value === 0 || value === false;
  }
}
