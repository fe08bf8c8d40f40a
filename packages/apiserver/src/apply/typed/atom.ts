import {
  getKey,
  goFormat,
  goQuote,
  goSyntax,
  goType,
  isObject,
  type Json,
  type JsonObject,
} from "@kubewright/cel/json";
import { keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { ListType, ScalarKind, ValueType } from "./value-type.ts";

/** A mismatch between a value and its type. `path` is empty for the value itself. */
export interface TypeProblem {
  path: string;
  message: string;
}

/** The mismatches of a value, joined in one message as kube-apiserver prints them. */
export class TypeProblems extends Error {
  readonly problems: readonly TypeProblem[];

  /** @param problems - at least one mismatch */
  constructor(problems: readonly TypeProblem[]) {
    const lines = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    super(lines.length === 1 ? lines[0] : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n"));
    this.name = "TypeProblems";
    this.problems = problems;
  }
}

/** The part of a type that applies to a value. `any`: the value doesn't decide between several parts. */
export type Atom = "map" | "scalar" | "list" | "any";

/**
 * Decides which part of a type applies to a value.
 *
 * @param type - the type
 * @param value - the value; null and absent values don't decide
 * @returns the part
 */
export function atomOf(type: ValueType, value: Json | undefined): Atom {
  if (value !== null && value !== undefined) {
    if (Array.isArray(value)) {
      if (type.list) return "list";
    } else if (typeof value === "object") {
      if (type.map) return "map";
    } else if (type.scalar) return "scalar";
  }
  const parts = Number(type.map !== undefined) + Number(type.list !== undefined) + Number(type.scalar !== undefined);
  if (parts > 1) return "any";
  return type.map ? "map" : type.list ? "list" : "scalar";
}

/** The operations for the parts of a type. */
export interface AtomHandlers<Result> {
  map(type: NonNullable<ValueType["map"]>): Result;
  list(type: ListType): Result;
  scalar(kind: ScalarKind): Result;
}

/**
 * Calls the operation for a part of a type. Objects come before scalars and lists if any part may apply.
 *
 * @param type - the type
 * @param atom - the part
 * @param handlers - the operations
 * @returns the result of the operation
 */
export function handleAtom<Result>(type: ValueType, atom: Atom, handlers: AtomHandlers<Result>): Result {
  if (type.map && (atom === "map" || atom === "any")) return handlers.map(type.map);
  if (type.scalar && (atom === "scalar" || atom === "any")) return handlers.scalar(type.scalar);
  return handlers.list(type.list as ListType);
}

/** Returns the value if it's a list. */
export function asList(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Returns the value if it's an object. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the value in the form in which messages print it. */
export function shownValue(value: Json | undefined): string {
  return `&{${goFormat(value)}}`;
}

/**
 * Checks a value against a scalar.
 *
 * @param kind - the scalar
 * @param value - the value; null and absent values are valid
 * @returns the message of the mismatch, or undefined
 */
export function scalarProblem(kind: ScalarKind, value: Json | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (kind) {
    case "numeric":
      return typeof value === "number" || typeof value === "bigint"
        ? undefined
        : `expected numeric (int or float), got ${goType(value)}`;
    case "string":
      return typeof value === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got ${shownValue(value)}`;
    case "untyped":
      return typeof value !== "object" ? undefined : `expected any scalar, got ${shownValue(value)}`;
  }
}

/**
 * Returns the element of the path for an item of a set or a list with keys. Keys that the item lacks take their defaults.
 *
 * @param list - the type of the list
 * @param item - the item
 * @returns the element
 * @throws Error if the item can't be identified
 */
export function itemElement(list: ListType, item: Json): PathElement {
  if (list.keys.length === 0) return setElement(item);
  if (item === null) throw new Error("associative list with keys may not have a null element");
  if (!isObject(item)) throw new Error("associative list with keys may not have non-map elements");
  const key: [string, Json][] = [];
  for (const name of list.keys) {
    let value = getKey(item, name);
    if (value === undefined) {
      if (list.element.map === undefined) {
        throw new Error(`couldn't find default value for ${name}: associative list may not have non-map types`);
      }
      value = list.element.map.fieldDefault(name);
    }
    if (value !== undefined && (value !== null || getKey(item, name) === null)) key.push([name, value]);
  }
  if (key.length === 0) {
    const names = `[${list.keys.map(goQuote).join(" ")}]`;
    throw new Error(
      `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(key);
}

function setElement(item: Json): PathElement {
  if (item === null) throw new Error("associative list without keys has an element that's an explicit null");
  if (isObject(item)) throw new Error("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new Error("not supported: associative list with lists as elements");
  return valueElement(item);
}
