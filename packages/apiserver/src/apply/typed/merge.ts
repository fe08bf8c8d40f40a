import { getKey, type Json, type JsonObject, keysOf, setKey } from "@kubewright/cel/json";
import {
  asList,
  asObject,
  atomOf,
  handleAtom,
  itemElement,
  scalarProblem,
  type TypeProblem,
  TypeProblems,
} from "./atom.ts";
import { fieldElement, type PathElement, pathText } from "./path-element.ts";
import type { ListType, MapType, ScalarKind, ValueType } from "./value-type.ts";

/**
 * Merges an applied configuration into a value. The result shares parts with both.
 *
 * @param type - their type
 * @param live - the value
 * @param applied - the configuration
 * @returns the merged value
 * @throws TypeProblems if the configuration has duplicate items or if a field mismatches its type in both values
 */
export function merge(type: ValueType, live: Json, applied: Json): Json {
  const walk = new MergeWalk();
  const merged = walk.merge(type, live, applied);
  if (walk.problems.length > 0) throw new TypeProblems(walk.problems);
  return merged ?? null;
}

type Value = Json | undefined;

class MergeWalk {
  problems: TypeProblem[] = [];
  readonly #path: PathElement[] = [];

  merge(type: ValueType, live: Value, applied: Value): Value {
    const left = atomOf(type, live);
    const right = atomOf(type, applied);
    const handlers = {
      scalar: (kind: ScalarKind) => this.#mergeScalar(kind, live, applied),
      list: (list: ListType) => this.#mergeList(list, live, applied),
      map: (map: MapType) => this.#mergeMap(map, live, applied),
    };
    return handleAtom(type, applied === undefined ? left : right, handlers);
  }

  #mergeScalar(kind: ScalarKind, live: Value, applied: Value): Value {
    const left = scalarProblem(kind, live);
    const right = scalarProblem(kind, applied);
    if (left !== undefined && right !== undefined) {
      const path = pathText(this.#path);
      this.problems.push({ path, message: `lhs: ${left}` }, { path, message: `rhs: ${right}` });
      return undefined;
    }
    return applied ?? (applied === undefined ? live : null);
  }

  #mergeMap(type: MapType, live: Value, applied: Value): Value {
    const left = asObject(live);
    const right = asObject(applied);
    const leftKeys = left === undefined ? [] : keysOf(left);
    const rightKeys = right === undefined ? [] : keysOf(right);
    if (type.atomic || (leftKeys.length === 0 && rightKeys.length === 0)) return applied === undefined ? live : applied;
    const merged: JsonObject = {};
    let empty = true;
    const { element } = type;
    const visit = (key: string, leftValue: Value, rightValue: Value) => {
      const field = type.field(key) ?? element;
      if (field === undefined) return;
      this.#path.push(fieldElement(key));
      const value = this.merge(field, leftValue, rightValue);
      this.#path.pop();
      if (value === undefined) return;
      setKey(merged, key, value);
      empty = false;
    };
    for (const key of leftKeys) visit(key, getKey(left as JsonObject, key), right && getKey(right, key));
    for (const key of rightKeys) {
      if (left === undefined || getKey(left, key) === undefined)
        visit(key, undefined, getKey(right as JsonObject, key));
    }
    return empty ? undefined : merged;
  }

  #mergeList(type: ListType, live: Value, applied: Value): Value {
    const left = asList(live) ?? [];
    const right = asList(applied) ?? [];
    if (type.atomic || (left.length === 0 && right.length === 0)) return applied === undefined ? live : applied;
    const before = this.problems.length;
    const appliedItems = this.#index(type, right, false);
    const liveItems = this.#index(type, left, true);
    if (this.problems.length > before) return undefined;
    const merged = this.#mergeItems(type, liveItems, appliedItems);
    return merged.length === 0 ? undefined : merged;
  }

  /** Identifies the items of a list. An item that occurs several times has no value to merge with. */
  #index(type: ListType, items: readonly Json[], allowDuplicates: boolean): ListItems {
    const elements: PathElement[] = [];
    const values = new Map<string, Json>();
    for (const [index, item] of items.entries()) {
      let element: PathElement;
      try {
        element = itemElement(type, item);
      } catch (error) {
        this.problems.push({ path: pathText(this.#path), message: `element ${index}: ${(error as Error).message}` });
        continue;
      }
      if (values.has(element.id)) {
        if (!allowDuplicates) {
          const message = `duplicate entries for key ${pathText([element])}`;
          this.problems.push({ path: pathText(this.#path), message });
          continue;
        }
        values.set(element.id, null);
      } else values.set(element.id, item);
      elements.push(element);
    }
    return { items, elements, values };
  }

  /**
   * Merges the items of both lists. Those of the configuration keep its order. Those that only the live list has keep
   * their place relative to the shared ones before and after them.
   */
  #mergeItems(type: ListType, live: ListItems, applied: ListItems): Json[] {
    const shared = applied.elements.filter(({ id }) => live.values.has(id));
    let nextShared = 0;
    const out: Json[] = [];
    const add = (element: PathElement, liveItem: Value, appliedItem: Value) => {
      // Mismatches below items are ignored here, as in kube-apiserver: both lists were validated before.
      const problems = this.problems;
      this.problems = [];
      this.#path.push(element);
      const item = this.merge(type.element, liveItem, appliedItem);
      this.#path.pop();
      this.problems = problems;
      if (item !== undefined) out.push(item);
    };
    const done = new Set<string>();
    const addApplied = (element: PathElement) => {
      done.add(element.id);
      add(element, live.values.get(element.id), applied.values.get(element.id));
    };
    let l = 0;
    let r = 0;
    while (l < live.elements.length || r < applied.elements.length) {
      const liveElement = live.elements[l];
      const appliedElement = applied.elements[r];
      if (liveElement !== undefined && appliedElement !== undefined) {
        if (liveElement.id === appliedElement.id) {
          addApplied(liveElement);
          l++;
          r++;
          nextShared++;
          continue;
        }
        const next = shared[nextShared];
        if (applied.values.has(liveElement.id) && next !== undefined && next.id !== liveElement.id) {
          // The configuration puts this item into another place.
          l++;
          continue;
        }
      }
      if (liveElement !== undefined) {
        if (!applied.values.has(liveElement.id)) {
          add(liveElement, live.items[l], undefined);
          l++;
          continue;
        }
        if (done.has(liveElement.id)) l++;
      }
      if (appliedElement !== undefined) {
        addApplied(appliedElement);
        r++;
        if (shared[nextShared]?.id === appliedElement.id) nextShared++;
      }
    }
    return out;
  }
}

interface ListItems {
  items: readonly Json[];
  elements: PathElement[];
  values: Map<string, Json>;
}
