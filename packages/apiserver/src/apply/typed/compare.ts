import { getKey, type Json, type JsonObject, keysOf } from "@kubewright/cel/json";
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
import { type FieldFilter, FieldSet } from "./field-set.ts";
import { fieldElement, type PathElement, pathText } from "./path-element.ts";
import type { ListType, MapType, ScalarKind, ValueType } from "./value-type.ts";
import { equalValues } from "./values.ts";

/** The fields in which two values differ. */
export interface Comparison {
  /** Fields that only the first value has. */
  removed: FieldSet;
  /** Fields with different values. */
  modified: FieldSet;
  /** Fields that only the second value has. */
  added: FieldSet;
}

/**
 * Compares two values of a type field by field.
 *
 * @param type - their type
 * @param before - the first value
 * @param after - the second value
 * @returns the differences
 * @throws TypeProblems if both values of a field mismatch their type
 */
export function compare(type: ValueType, before: Json, after: Json): Comparison {
  const walk = new ComparisonWalk();
  walk.compare(type, before, after);
  if (walk.problems.length > 0) throw new TypeProblems(walk.problems);
  return walk.result;
}

/** Returns the comparison without the fields that the filter removes. */
export function filterComparison(comparison: Comparison, filter: FieldFilter | undefined): Comparison {
  if (filter === undefined) return comparison;
  const { removed, modified, added } = comparison;
  return { removed: filter(removed), modified: filter(modified), added: filter(added) };
}

type Value = Json | undefined;

class ComparisonWalk {
  readonly result: Comparison = { removed: new FieldSet(), modified: new FieldSet(), added: new FieldSet() };
  readonly problems: TypeProblem[] = [];
  readonly #path: PathElement[] = [];

  compare(type: ValueType, before: Value, after: Value): void {
    const left = atomOf(type, before);
    const right = atomOf(type, after);
    const handlers = {
      scalar: (kind: ScalarKind) => this.#compareScalar(kind, before, after),
      list: (list: ListType) => this.#compareList(list, before, after),
      map: (map: MapType) => this.#compareMap(map, before, after),
    };
    let leaf: boolean;
    if (after === undefined) leaf = handleAtom(type, left, handlers);
    else {
      // A change of the kind of the value removes the old one's fields and adds the new one's.
      if (before !== undefined && left !== right) handleAtom(type, left, handlers);
      leaf = handleAtom(type, right, handlers);
    }
    if (leaf) return;
    if (before === undefined) this.result.added.insert(this.#path);
    else if (after === undefined) this.result.removed.insert(this.#path);
  }

  /** Records the difference of a value that has no parts. */
  #compareLeaf(before: Value, after: Value): true {
    if (before === undefined) this.result.added.insert(this.#path);
    else if (after === undefined) this.result.removed.insert(this.#path);
    else if (!equalValues(before, after)) this.result.modified.insert(this.#path);
    return true;
  }

  #compareScalar(kind: ScalarKind, before: Value, after: Value): boolean {
    const left = scalarProblem(kind, before);
    const right = scalarProblem(kind, after);
    if (left === undefined || right === undefined) return this.#compareLeaf(before, after);
    const path = pathText(this.#path);
    this.problems.push({ path, message: `lhs: ${left}` }, { path, message: `rhs: ${right}` });
    return false;
  }

  #compareMap(type: MapType, before: Value, after: Value): boolean {
    const left = asObject(before);
    const right = asObject(after);
    const leftKeys = left === undefined ? [] : keysOf(left);
    const rightKeys = right === undefined ? [] : keysOf(right);
    // Two empty values are leaves, which distinguishes {} from null.
    if (type.atomic || (leftKeys.length === 0 && rightKeys.length === 0)) return this.#compareLeaf(before, after);
    const { element } = type;
    const visit = (key: string, leftValue: Value, rightValue: Value) => {
      const field = type.field(key) ?? element;
      if (field === undefined) return;
      this.#path.push(fieldElement(key));
      this.compare(field, leftValue, rightValue);
      this.#path.pop();
    };
    for (const key of leftKeys) visit(key, getKey(left as JsonObject, key), right && getKey(right, key));
    for (const key of rightKeys) {
      if (left === undefined || getKey(left, key) === undefined)
        visit(key, undefined, getKey(right as JsonObject, key));
    }
    return false;
  }

  #compareList(type: ListType, before: Value, after: Value): boolean {
    const left = asList(before) ?? [];
    const right = asList(after) ?? [];
    if (type.atomic || (left.length === 0 && right.length === 0)) return this.#compareLeaf(before, after);
    const elements = new Map<string, PathElement>();
    const lefts = this.#group(type, left, elements);
    const rights = this.#group(type, right, elements);
    for (const [id, element] of elements) {
      this.#path.push(element);
      this.#compareItems(type, lefts.get(id) ?? [], rights.get(id) ?? []);
      this.#path.pop();
    }
    return false;
  }

  /** Groups the items of a list by their elements, because stored lists may contain an item several times. */
  #group(type: ListType, items: readonly Json[], elements: Map<string, PathElement>): Map<string, Json[]> {
    const groups = new Map<string, Json[]>();
    for (const [index, item] of items.entries()) {
      let element: PathElement;
      try {
        element = itemElement(type, item);
      } catch (error) {
        this.problems.push({ path: pathText(this.#path), message: `element ${index}: ${(error as Error).message}` });
        continue;
      }
      const group = groups.get(element.id);
      if (group) group.push(item);
      else groups.set(element.id, [item]);
      if (!elements.has(element.id)) elements.set(element.id, element);
    }
    return groups;
  }

  #compareItems(type: ListType, left: readonly Json[], right: readonly Json[]): void {
    if (left.length <= 1 && right.length <= 1) this.compare(type.element, left[0], right[0]);
    else if (left.length > 1 && right.length > 1) {
      if (!equalValues([...left], [...right])) this.result.modified.insert(this.#path);
    } else if (left.length > 1) {
      if (right.length > 0) this.compare(type.element, undefined, right[0]);
      this.result.removed.insert(this.#path);
    } else {
      if (left.length > 0) this.compare(type.element, left[0], undefined);
      this.result.added.insert(this.#path);
    }
  }
}
