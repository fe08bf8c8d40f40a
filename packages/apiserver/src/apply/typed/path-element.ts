import { compareText, goFormat, goJson, goQuote, type Json } from "@kubewright/cel/json";
import { compareValues } from "./values.ts";

/**
 * One step of a path into an object: a field, an item of a list with keys, a value of a set, or an index.
 * `id` is its text in FieldsV1 and identifies it: equal elements have equal texts.
 */
export type PathElement =
  | { type: "field"; id: string; name: string }
  | { type: "key"; id: string; key: [name: string, value: Json][] }
  | { type: "value"; id: string; value: Json }
  | { type: "index"; id: string; index: number };

/** The path of a field in an object. */
export type FieldPath = readonly PathElement[];

/** Returns the element for a field of an object. */
export function fieldElement(name: string): PathElement {
  return { type: "field", id: `f:${name}`, name };
}

/** Returns the element for an item of a list with keys. The order of keys doesn't matter. */
export function keyElement(key: [name: string, value: Json][]): PathElement {
  if (key.length > 1) key.sort(([a], [b]) => compareText(a, b));
  const id = `k:{${key.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(",")}}`;
  return { type: "key", id, key };
}

/** Returns the element for a value of a set. */
export function valueElement(value: Json): PathElement {
  return { type: "value", id: `v:${goJson(value)}`, value };
}

/** Returns the element for an index of a list. */
export function indexElement(index: number): PathElement {
  return { type: "index", id: `i:${index}`, index };
}

/** Returns the path of nested fields, for example `spec`, `replicas`. */
export function fieldPath(...names: string[]): FieldPath {
  return names.map(fieldElement);
}

const order = { field: 0, key: 1, value: 2, index: 3 };

/**
 * Orders elements: fields, keys, values, indexes.
 *
 * @param left - an element
 * @param right - another element
 * @returns a negative number, 0 or a positive number
 */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left.type !== right.type) return order[left.type] - order[right.type];
  if (left.type === "field") return compareText(left.name, (right as typeof left).name);
  if (left.type === "value") return compareValues(left.value, (right as typeof left).value);
  if (left.type === "index") return left.index - (right as typeof left).index;
  const other = (right as typeof left).key;
  for (let i = 0; i < Math.min(left.key.length, other.length); i++) {
    const [name, value] = left.key[i] as [string, Json];
    const [otherName, otherValue] = other[i] as [string, Json];
    const compared = compareText(name, otherName) || compareValues(value, otherValue);
    if (compared !== 0) return compared;
  }
  return left.key.length - other.length;
}

function valueText(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(",")}]`;
  if (typeof value !== "object") return goFormat(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}=${valueText(part as Json)}`)
    .join("");
}

/** Returns the text of an element in messages, for example `.spec` or `[name="x"]`. */
export function pathElementText(element: PathElement): string {
  switch (element.type) {
    case "field":
      return `.${element.name}`;
    case "key":
      return `[${element.key.map(([name, value]) => `${name}=${valueText(value)}`).join(",")}]`;
    case "value":
      return `[=${valueText(element.value)}]`;
    case "index":
      return `[${element.index}]`;
  }
}

/** Returns the text of a path in messages, for example `.spec.ports[port=80].name`. */
export function pathText(path: FieldPath): string {
  return path.map(pathElementText).join("");
}

/**
 * Reads an element from its text in FieldsV1.
 *
 * @param id - for example `f:spec`
 * @returns the element, or undefined for a type that isn't known
 * @throws Error if the text is malformed
 */
export function parsePathElement(id: string): PathElement | undefined {
  if (id.length < 2) throw new Error("key must be 2 characters long:");
  if (id[1] !== ":") throw new Error(`missing colon: ${id}`);
  const content = id.slice(2);
  switch (id[0]) {
    case "f":
      return { type: "field", id, name: content };
    case "v":
      return valueElement(JSON.parse(content) as Json);
    case "k": {
      const key = JSON.parse(content) as unknown;
      if (typeof key !== "object" || Array.isArray(key)) throw new Error("expect { or n, but found other");
      return keyElement(Object.entries((key ?? {}) as Record<string, Json>));
    }
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new Error(`strconv.Atoi: parsing ${goQuote(content)}: invalid syntax`);
      return indexElement(Number(content));
    default:
      return undefined;
  }
}
