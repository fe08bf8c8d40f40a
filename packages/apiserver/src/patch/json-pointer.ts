import { getKey, isObject, type Json } from "@kubewright/cel/json";

/** The object or list that contains what a pointer names, and the last part of the pointer. */
export interface Target {
  container: Json;
  key: string;
}

/**
 * Finds the container of what a JSON pointer names.
 *
 * @param document - the document
 * @param pointer - for example `/spec/list/0`
 * @param visited - receives the objects on the way
 * @returns the container, or undefined if it doesn't exist
 */
export function findTarget(document: Json, pointer: string, visited: Set<object>): Target | undefined {
  const parts = pointer.split("/");
  if (parts.length < 2) return undefined;
  const key = decodePart(parts.pop() as string);
  let container = document;
  for (const part of parts.slice(1)) {
    let next: Json | undefined;
    try {
      next = getPart(container, decodePart(part));
    } catch {
      return undefined;
    }
    if (typeof next !== "object" || next === null) return undefined;
    container = next;
    visited.add(container);
  }
  return { container, key };
}

function decodePart(part: string): string {
  return part.replace(/~[01]/g, (sequence) => (sequence === "~1" ? "/" : "~"));
}

/**
 * Reads a part of a container.
 *
 * @returns its value, or undefined for a key that an object lacks
 * @throws Error for an index that a list lacks
 */
export function getPart(container: Json, key: string): Json | undefined {
  if (isObject(container)) return getKey(container, key);
  const list = container as Json[];
  return list[indexIn(list.length, key)];
}

/**
 * Reads the index of an item.
 *
 * @param length - the length of the list
 * @param key - the index; negative ones count from the end
 * @returns the index from the start
 * @throws Error if the item doesn't exist
 */
export function indexIn(length: number, key: string): number {
  if (!/^[+-]?\d+$/.test(key)) throw new Error(`value was not a proper array index: '${key}'`);
  const index = Number(key);
  if (index >= length || index < -length) {
    throw new Error(`Unable to access invalid index: ${index}: invalid index referenced`);
  }
  return index < 0 ? index + length : index;
}
