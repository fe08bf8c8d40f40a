import type { Schema } from "@kubewright/cel/schema";
import { deducedType, typeOfCustomObject, type ValueType } from "./value-type.ts";

const types = new WeakMap<Schema, ValueType>();

/**
 * Returns the type of a version of custom resources. It has the fields of every object, `metadata` among them.
 *
 * @param schema - the structural schema of the version, or undefined for none
 * @returns the type
 */
export function customResourceType(schema: Schema | undefined): ValueType {
  if (schema === undefined) return deducedType;
  let type = types.get(schema);
  if (type === undefined) {
    type = typeOfCustomObject(schema);
    types.set(schema, type);
  }
  return type;
}
