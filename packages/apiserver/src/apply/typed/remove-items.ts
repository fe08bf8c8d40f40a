import { getKey, type Json, type JsonObject, keysOf, setKey } from "@kubewright/cel/json";
import { asList, asObject, atomOf, handleAtom, itemElement } from "./atom.ts";
import { FieldSet } from "./field-set.ts";
import { type FieldPath, fieldElement } from "./path-element.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Removes fields and items of lists from a value. An object or a list without remaining parts becomes null.
 *
 * @param type - the type of the value
 * @param value - a valid value
 * @param set - the fields to remove
 * @returns the value without them
 */
export function removeItems(type: ValueType, value: Json, set: FieldSet): Json {
  return select(type, value, set, false);
}

/**
 * Keeps only some fields and items of lists of a value.
 *
 * @param type - the type of the value
 * @param value - a valid value
 * @param set - the fields to keep
 * @param appendKeyFields - whether the keys of list items on the way to a kept field are kept too
 * @returns the kept part
 */
export function extractItems(type: ValueType, value: Json, set: FieldSet, appendKeyFields = false): Json {
  return select(type, value, appendKeyFields ? set.union(keyFields(type, value, set)) : set, true);
}

function keyFields(type: ValueType, value: Json, set: FieldSet): FieldSet {
  const present = toFieldSet(type, value);
  const keys = new FieldSet();
  for (const path of set.paths()) {
    if (!present.has(path)) continue;
    for (const [index, element] of path.entries()) {
      if (element.type !== "key") continue;
      const item: FieldPath = path.slice(0, index + 1);
      for (const [name] of element.key) keys.insert([...item, fieldElement(name)]);
    }
  }
  return keys;
}

function select(type: ValueType, value: Json, set: FieldSet, extract: boolean): Json {
  return handleAtom(type, atomOf(type, value), {
    scalar: () => value,
    list: (list) => selectItems(list, value, set, extract),
    map: (map) => selectFields(map, value, set, extract),
  });
}

function selectItems(type: ListType, value: Json, set: FieldSet, extract: boolean): Json {
  const items = asList(value);
  if (items === undefined) return null;
  if (items.length === 0 || type.atomic) return extract ? value : null;
  const kept: Json[] = [];
  for (const item of items) {
    const element = itemElement(type, item);
    const inSet = set.hasMember(element);
    const below = set.childrenOf(element);
    const partly = below !== undefined && !below.empty;
    if (extract ? !inSet && !partly : inSet) continue;
    kept.push(partly ? select(type.element, item, below, extract) : item);
  }
  return kept.length === 0 ? null : kept;
}

function selectFields(type: MapType, value: Json, set: FieldSet, extract: boolean): Json {
  const object = asObject(value);
  if (object === undefined) return null;
  const keys = keysOf(object);
  if (keys.length === 0 || type.atomic) return extract ? value : null;
  const kept: JsonObject = {};
  for (const key of keys) {
    const part = getKey(object, key) as Json;
    const element = fieldElement(key);
    const field = type.field(key) ?? (type.element as ValueType);
    if (set.hasMember(element)) {
      // The whole set applies again below a field that is extracted itself, as in structured-merge-diff.
      if (extract) setKey(kept, key, select(field, part, set, extract));
      continue;
    }
    const below = set.childrenOf(element);
    if (below !== undefined && !below.empty) setKey(kept, key, select(field, part, below, extract));
    else if (!extract) setKey(kept, key, part);
  }
  return keysOf(kept).length === 0 ? null : kept;
}
