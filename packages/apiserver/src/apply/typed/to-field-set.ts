import { getKey, type Json, keysOf } from "@kubewright/cel/json";
import { asList, asObject, atomOf, handleAtom, itemElement } from "./atom.ts";
import { FieldSet } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import type { ListType, MapType, ValueType } from "./value-type.ts";

/**
 * Returns the fields that a value sets.
 *
 * @param type - the type of the value
 * @param value - a valid value
 * @returns the set of its fields
 */
export function toFieldSet(type: ValueType, value: Json): FieldSet {
  const set = new FieldSet();
  collect(set, [], type, value);
  return set;
}

function collect(set: FieldSet, path: PathElement[], type: ValueType, value: Json): void {
  handleAtom(type, atomOf(type, value), {
    scalar: () => set.insert(path),
    list: (list) => {
      if (list.atomic) set.insert(path);
      else collectList(set, path, list, asList(value) ?? []);
    },
    map: (map) => {
      if (map.atomic) set.insert(path);
      else collectMap(set, path, map, value);
    },
  });
}

function collectList(set: FieldSet, path: PathElement[], type: ListType, items: readonly Json[]): void {
  const elements = items.map((item) => itemElement(type, item));
  const counts = new Map<string, number>();
  for (const { id } of elements) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [index, element] of elements.entries()) {
    path.push(element);
    // Items that occur several times are owned as a whole.
    if (counts.get(element.id) === 1) collect(set, path, type.element, items[index] as Json);
    set.insert(path);
    path.pop();
  }
}

function collectMap(set: FieldSet, path: PathElement[], type: MapType, value: Json): void {
  const object = asObject(value);
  if (object === undefined) return;
  const { element } = type;
  for (const key of keysOf(object)) {
    const part = getKey(object, key) as Json;
    const field = type.field(key);
    path.push(fieldElement(key));
    collect(set, path, field ?? (element as ValueType), part);
    const child = asObject(part);
    if (part === null || field === undefined || (child !== undefined && keysOf(child).length === 0)) set.insert(path);
    path.pop();
  }
}
