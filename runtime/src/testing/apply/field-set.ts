import { isJsonObject } from "../../json/object.ts";
import { fieldOf, itemsOf, type Schema } from "../schema/schema.ts";
import { isAssociative, stepOf } from "./lists.ts";
import { type Path, pathText, textBelow } from "./paths.ts";

/**
 * A field or list item of an object. `value` is set on leaves; `canBeOwned` is true if a manager can own the place itself.
 */
export interface Place {
  readonly path: Path;
  readonly isLeaf: boolean;
  readonly value: unknown;
  readonly canBeOwned: boolean;
}

/** The places of an object, keyed by the text of their paths. Containers precede their content. */
export type Places = ReadonlyMap<string, Place>;

/** Paths, keyed by their text. */
export type FieldSet = Map<string, Path>;

/** Returns all places of a value. An atomic list or map is one place, and so is a list without a schema. */
export function placesOf(value: unknown, schema: Schema | undefined): Places {
  const places = new Map<string, Place>();
  visit({ value, schema, path: [], isNamed: true }, "", places);
  return places;
}

function visit({ value, schema, path, isNamed }: Child, text: string, places: Map<string, Place>): void {
  // An empty set or list map has no owner: servers ignore it.
  if (Array.isArray(value) && value.length === 0 && isAssociative(schema)) return;
  const below = children(value, schema, path);
  const isLeaf = below.length === 0;
  if (path.length > 0) {
    places.set(text, { path, isLeaf, value: isLeaf ? value : undefined, canBeOwned: isLeaf || !isNamed });
  }
  for (const child of below) visit(child, textBelow(text, child.path.at(-1)!), places);
}

interface Child {
  value: unknown;
  schema: Schema | undefined;
  path: Path;
  isNamed: boolean;
}

function children(value: unknown, schema: Schema | undefined, path: Path): Child[] {
  if (Array.isArray(value) && isAssociative(schema)) {
    const items = itemsOf(schema);
    return value.map((item) => ({ value: item, schema: items, path: [...path, stepOf(item, schema)], isNamed: false }));
  }
  if (!isJsonObject(value) || schema?.["x-kubernetes-map-type"] === "atomic") return [];
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([field, inner]) => ({
      value: inner,
      schema: fieldOf(schema, field),
      path: [...path, { field }],
      isNamed: schema?.properties !== undefined && Object.hasOwn(schema.properties, field),
    }));
}

/** Returns the fields that the writer of a value owns. */
export function fieldSetOf(places: Places): FieldSet {
  return new Map([...places].flatMap(([text, { path, canBeOwned }]) => (canBeOwned ? [[text, path] as const] : [])));
}

/** Returns the set together with the fields that contain its fields. */
export function withOwnerPaths(set: ReadonlyMap<string, Path>): FieldSet {
  const all = new Map(set);
  for (const path of set.values()) {
    for (let length = path.length - 1; length > 0; length--) {
      const holder = path.slice(0, length);
      if ("field" in holder.at(-1)!) all.set(pathText(holder), holder);
    }
  }
  return all;
}

export function without(set: ReadonlyMap<string, Path>, ...others: readonly ReadonlyMap<string, unknown>[]): FieldSet {
  return new Map([...set].filter(([text]) => !others.some((other) => other.has(text))));
}

export function both(set: ReadonlyMap<string, Path>, other: ReadonlyMap<string, unknown>): FieldSet {
  return new Map([...set].filter(([text]) => other.has(text)));
}
