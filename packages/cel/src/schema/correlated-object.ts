import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import type { Schema } from "./schema.ts";

/**
 * A value of an updated object together with the value that it replaces, for rules that depend on both: ratcheting and CEL's
 * `oldSelf`. Items of lists correspond by their keys if the list is a map; items of other lists don't correspond.
 */
export class CorrelatedObject {
  readonly value: Json | undefined;
  readonly oldValue: Json | undefined;
  readonly schema: Schema | undefined;
  #equal: boolean | undefined;
  #oldItems: Map<string, JsonObject> | undefined;
  #children: Map<string | number, CorrelatedObject> | undefined;

  /**
   * @param value - the new value
   * @param oldValue - the value before the update
   * @param schema - the schema of both
   */
  constructor(value: Json | undefined, oldValue: Json | undefined, schema: Schema | undefined) {
    this.value = value;
    this.oldValue = oldValue;
    this.schema = schema;
  }

  /**
   * Returns the pair for a field of an object or map.
   *
   * @param field - the name of the field, or the key
   * @returns the pair, or `undefined` if the old object has no such field or the schema doesn't define it
   */
  key(field: string): CorrelatedObject | undefined {
    if (this.schema === undefined) return undefined;
    const child = this.#children?.get(field);
    if (child !== undefined) return child;
    if (!isObject(this.oldValue) || !isObject(this.value)) return undefined;
    if (!Object.hasOwn(this.oldValue, field) || !Object.hasOwn(this.value, field)) return undefined;
    const { properties, additionalProperties } = this.schema;
    let schema: Schema | undefined;
    if (properties !== undefined && Object.hasOwn(properties, field)) schema = properties[field];
    else if (typeof additionalProperties === "object") schema = additionalProperties;
    if (schema === undefined) return undefined;
    return this.#remember(field, new CorrelatedObject(this.value[field], this.oldValue[field], schema));
  }

  /**
   * Returns the pair for an item of a list.
   *
   * @param index - the index in the new list
   * @returns the pair, or `undefined` if the list isn't a map or the old list has no item with the same keys
   */
  index(index: number): CorrelatedObject | undefined {
    if (this.schema === undefined) return undefined;
    const child = this.#children?.get(index);
    if (child !== undefined) return child;
    if (!Array.isArray(this.value) || this.value.length <= index || this.schema.items === undefined) return undefined;
    const oldItem = this.#oldItem(this.value[index] as Json);
    if (oldItem === undefined) return undefined;
    return this.#remember(index, new CorrelatedObject(this.value[index], oldItem, this.schema.items));
  }

  /** @returns true if the old and the new value are equal */
  isEqual(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  /** Compares by corresponding items, so that lists that are maps are equal in any order. */
  #compare(): boolean {
    const { value, oldValue } = this;
    if (isNull(value) || isNull(oldValue)) return isNull(value) && isNull(oldValue);
    if (Array.isArray(value) && Array.isArray(oldValue)) {
      if (value.length !== oldValue.length) return false;
      for (let index = 0; index < value.length; index++) {
        const child = this.index(index);
        if (child === undefined) {
          return this.schema?.["x-kubernetes-list-type"] !== "map" && equalJson(value, oldValue);
        }
        if (!child.isEqual()) return false;
      }
      return true;
    }
    if (isObject(value) && isObject(oldValue)) {
      const keys = Object.keys(value);
      // A field that the schema doesn't define has no pair, so its object is never equal.
      return keys.length === Object.keys(oldValue).length && keys.every((key) => this.key(key)?.isEqual() === true);
    }
    return value === oldValue;
  }

  #remember(key: string | number, child: CorrelatedObject): CorrelatedObject {
    this.#children ??= new Map();
    this.#children.set(key, child);
    return child;
  }

  #oldItem(item: Json): JsonObject | undefined {
    const keys = this.schema?.["x-kubernetes-list-map-keys"] ?? [];
    if (this.schema?.["x-kubernetes-list-type"] !== "map" || keys.length === 0) return undefined;
    if (!Array.isArray(this.oldValue) || !isObject(item)) return undefined;
    if (this.#oldItems === undefined) {
      this.#oldItems = new Map();
      for (const old of this.oldValue) {
        if (!isObject(old)) continue;
        const key = compositeKey(old, keys);
        if (key !== undefined && !this.#oldItems.has(key)) this.#oldItems.set(key, old);
      }
    }
    const key = compositeKey(item, keys);
    return key === undefined ? undefined : this.#oldItems.get(key);
  }
}

function isNull(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function compositeKey(item: JsonObject, keys: readonly string[]): string | undefined {
  let composite = "";
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (value === undefined || value === null || typeof value === "object") return undefined;
    composite += `\u0000${typeof value}:${String(value)}`;
  }
  return composite;
}
