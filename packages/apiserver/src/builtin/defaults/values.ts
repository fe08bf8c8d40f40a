import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { roundAmount } from "../../validation/amounts.ts";

type Defaults = Readonly<Record<string, Json>>;

/** Sets keys that are absent, null or have the zero value of their type. */
export function setDefaults(object: JsonObject, defaults: Defaults): void {
  setMissing(object, defaults, (given) => given === undefined || given === null || given === "");
}

/** Sets fields that are pointers in Go, if they are absent or null: their zero value is a value. */
export function setPointers(object: JsonObject, defaults: Defaults): void {
  setMissing(object, defaults, (given) => given === undefined || given === null);
}

/** Sets numbers that aren't pointers in Go, if they are absent, null or zero. */
export function setNumbers(object: JsonObject, defaults: Readonly<Record<string, number>>): void {
  setMissing(object, defaults, (given) => !given);
}

function setMissing(object: JsonObject, defaults: Defaults, isMissing: (given: Json | undefined) => boolean): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (isMissing(object[key])) object[key] = typeof value === "object" ? structuredClone(value) : value;
  }
}

/** Returns the object at a key, if there is one. */
export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isObject(value) ? value : undefined;
}

/** Returns the object at a key, which is created if there is none. */
export function ensureObject(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  if (isObject(value)) return value;
  const created: JsonObject = {};
  object[key] = created;
  return created;
}

/** Returns the objects in the list at a key. */
export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * Brings a field of older versions and the list that replaced it in line. The field counts if they differ.
 *
 * @param object - the object with both
 * @param single - the field
 * @param list - the list
 * @param item - makes an item of the list
 */
export function alignWithList(object: JsonObject, single: string, list: string, item: (value: string) => Json): void {
  const value = object[single];
  const items = object[list];
  const [first] = Array.isArray(items) ? items : [];
  const firstValue = isObject(first) ? Object.values(first)[0] : first;
  if (typeof value === "string" && value !== "") {
    if (value !== firstValue) object[list] = [item(value)];
  } else if (typeof firstValue === "string") object[single] = firstValue;
}

/**
 * Rounds amounts of resources up to thousandths.
 *
 * @param object - the object that has them
 * @param keys - the maps of amounts by their resource
 */
export function roundAmounts(object: JsonObject | undefined, ...keys: string[]): void {
  for (const key of keys) {
    const amounts = objectAt(object, key);
    if (amounts === undefined) continue;
    for (const [name, amount] of Object.entries(amounts)) {
      if (typeof amount === "string") amounts[name] = roundAmount(amount);
    }
  }
}
