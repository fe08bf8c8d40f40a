import { isJsonObject } from "../../json/object.ts";
import { fieldOf, itemsOf, type Schema } from "../schema/schema.ts";
import { isAssociative, stepOf } from "./lists.ts";
import { type Path, pathText, textBelow } from "./paths.ts";

/** One place of an object: what stands there if nothing lies below, and whether somebody can own the place itself. */
export interface Place {
  readonly path: Path;
  readonly isLeaf: boolean;
  readonly value: unknown;
  readonly canBeOwned: boolean;
}

/** The places of an object by the text of their paths, containers before what they hold. */
export type Places = ReadonlyMap<string, Place>;

/** Paths by their text. */
export type FieldSet = Map<string, Path>;

/** All places of a value: lists and maps that are atomic, and those without schema that are lists, are one place. */
export function placesOf(value: unknown, schema: Schema | undefined): Places {
  const places = new Map<string, Place>();
  visit({ value, schema, path: [], isNamed: true }, "", places);
  return places;
}

function visit({ value, schema, path, isNamed }: Child, text: string, places: Map<string, Place>): void {
  // Nobody owns a set or a list map without items: servers don't see it.
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

/** What whoever wrote a value owns of it. */
export function fieldSetOf(places: Places): FieldSet {
  return new Map([...places].flatMap(([text, { path, canBeOwned }]) => (canBeOwned ? [[text, path] as const] : [])));
}

/** The set with the fields that hold its fields. */
export function withHolders(set: ReadonlyMap<string, Path>): FieldSet {
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
