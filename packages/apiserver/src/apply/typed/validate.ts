import { getKey, type Json, keysOf } from "@kubewright/cel/json";
import {
  asList,
  asObject,
  atomOf,
  handleAtom,
  itemElement,
  scalarProblem,
  shownValue,
  type TypeProblem,
} from "./atom.ts";
import { fieldElement, indexElement, type PathElement, pathText } from "./path-element.ts";
import { atomicType, deducedType, type ListType, type MapType, type ValueType } from "./value-type.ts";

/** Options of {@link validateType}. */
export interface ValidateOptions {
  /** Whether sets and lists with keys may contain an item several times, as in objects that were stored before. */
  allowDuplicates?: boolean;
}

/**
 * Checks a value against its type.
 *
 * @param type - the type
 * @param value - the value
 * @param options - the rules that apply
 * @returns the mismatches; empty if the value is valid
 */
export function validateType(type: ValueType, value: Json, options: ValidateOptions = {}): TypeProblem[] {
  const problems: TypeProblem[] = [];
  new Validation(problems, options.allowDuplicates === true).check(type, value);
  return problems;
}

class Validation {
  readonly #path: PathElement[] = [];
  readonly #problems: TypeProblem[];
  readonly #allowDuplicates: boolean;

  constructor(problems: TypeProblem[], allowDuplicates: boolean) {
    this.#problems = problems;
    this.#allowDuplicates = allowDuplicates;
  }

  check(type: ValueType, value: Json): void {
    // These types accept every value.
    if (type === deducedType || type === atomicType) return;
    handleAtom(type, atomOf(type, value), {
      scalar: (kind) => {
        const problem = scalarProblem(kind, value);
        if (problem !== undefined) this.#report(problem);
      },
      list: (list) => this.#checkList(list, value),
      map: (map) => this.#checkMap(map, value),
    });
  }

  #report(message: string): void {
    this.#problems.push({ path: pathText(this.#path), message });
  }

  #checkList(type: ListType, value: Json): void {
    if (value === null) return;
    const items = asList(value);
    if (items === undefined) {
      this.#report(`expected list, got ${shownValue(value)}`);
      return;
    }
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      let element = indexElement(index);
      if (!type.atomic) {
        try {
          element = itemElement(type, item);
        } catch (error) {
          this.#report(`element ${index}: ${(error as Error).message}`);
          return;
        }
        if (seen.has(element.id) && !this.#allowDuplicates) {
          this.#report(`duplicate entries for key ${pathText([element])}`);
        }
        seen.add(element.id);
      }
      this.#descend(element, type.element, item);
    }
  }

  #checkMap(type: MapType, value: Json): void {
    if (value === null) return;
    const object = asObject(value);
    if (object === undefined) {
      this.#report(`expected map, got ${shownValue(value)}`);
      return;
    }
    const { element } = type;
    for (const key of keysOf(object)) {
      const field = type.field(key) ?? element;
      if (field === undefined) {
        this.#path.push(fieldElement(key));
        this.#report("field not declared in schema");
        this.#path.pop();
        // The remaining keys aren't checked, as in kube-apiserver.
        return;
      }
      this.#descend(fieldElement(key), field, getKey(object, key) as Json);
    }
  }

  #descend(element: PathElement, type: ValueType, value: Json): void {
    this.#path.push(element);
    this.check(type, value);
    this.#path.pop();
  }
}
