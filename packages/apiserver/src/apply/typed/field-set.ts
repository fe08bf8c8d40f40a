import { compareText, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  comparePathElements,
  type FieldPath,
  fieldElement,
  type PathElement,
  parsePathElement,
  pathText,
} from "./path-element.ts";
import { maximumDepth } from "./values.ts";

/** An element in a {@link FieldSet}: in the set itself, or with parts in the set, or both. */
export interface FieldNode {
  readonly element: PathElement;
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

/**
 * A set of paths, stored as a tree. All operations except {@link FieldSet.insert} leave their operands as they are, and
 * results share subtrees with them. Insert only into sets that you created empty.
 */
export class FieldSet {
  readonly #nodes = new Map<string, FieldNode>();

  /** Returns the set of these paths. */
  static of(...paths: FieldPath[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds a path. The empty path isn't added, because nothing owns a whole object. */
  insert(path: FieldPath, from = 0): void {
    const element = path[from];
    if (element === undefined) return;
    const node = this.#nodes.get(element.id);
    if (from === path.length - 1) {
      if (!node?.member) this.#put(element, true, node?.children);
      return;
    }
    let children = node?.children;
    if (children === undefined) {
      children = new FieldSet();
      this.#put(element, node?.member ?? false, children);
    }
    children.insert(path, from + 1);
  }

  #put(element: PathElement, member: boolean, children: FieldSet | undefined): void {
    this.#nodes.set(element.id, { element, member, children });
  }

  /** Returns true if the path is in the set. */
  has(path: FieldPath): boolean {
    let set: FieldSet | undefined = this;
    for (let i = 0; i < path.length - 1; i++) {
      set = set.#nodes.get((path[i] as PathElement).id)?.children;
      if (set === undefined) return false;
    }
    return path.length > 0 && set.hasMember(path[path.length - 1] as PathElement);
  }

  /** Returns true if the path of this one element is in the set. */
  hasMember(element: PathElement): boolean {
    return this.#nodes.get(element.id)?.member ?? false;
  }

  /** Returns the part of the set below an element, if there is one. */
  childrenOf(element: PathElement): FieldSet | undefined {
    return this.#nodes.get(element.id)?.children;
  }

  /** Returns the elements at the top, in canonical order. */
  nodes(): FieldNode[] {
    const nodes = [...this.#nodes.values()];
    // Sets that were read from FieldsV1 are in order.
    return nodes.length < 2 ? nodes : nodes.sort((a, b) => comparePathElements(a.element, b.element));
  }

  /** Whether the set has no paths. */
  get empty(): boolean {
    for (const { member, children } of this.#nodes.values()) {
      if (member || (children !== undefined && !children.empty)) return false;
    }
    return true;
  }

  /** Returns the paths of both sets. */
  union(other: FieldSet): FieldSet {
    if (other.#nodes.size === 0) return this;
    if (this.#nodes.size === 0) return other;
    const result = new FieldSet();
    for (const [id, node] of this.#nodes) result.#nodes.set(id, node);
    for (const [id, node] of other.#nodes) {
      const own = result.#nodes.get(id);
      if (own === undefined) result.#nodes.set(id, node);
      else {
        const children =
          own.children && node.children ? own.children.union(node.children) : (own.children ?? node.children);
        result.#put(own.element, own.member || node.member, children);
      }
    }
    return result;
  }

  /** Returns the paths that are in both sets. */
  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const [id, node] of this.#nodes) {
      const match = other.#nodes.get(id);
      if (match === undefined) continue;
      const children = node.children && match.children ? node.children.intersection(match.children) : undefined;
      result.#keep(node.element, node.member && match.member, children);
    }
    return result;
  }

  /** Returns the paths that aren't in another set. Paths below the other's paths remain. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** Returns the paths that are neither in another set nor below one of its paths. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#without(other, true);
  }

  #without(other: FieldSet, recursive: boolean): FieldSet {
    const result = new FieldSet();
    for (const [id, node] of this.#nodes) {
      const match = other.#nodes.get(id);
      if (match === undefined) {
        result.#nodes.set(id, node);
        continue;
      }
      let children = node.children;
      if (recursive && match.member) children = undefined;
      else if (children && match.children) children = children.#without(match.children, recursive);
      result.#keep(node.element, node.member && !match.member, children);
    }
    return result;
  }

  #keep(element: PathElement, member: boolean, children: FieldSet | undefined): void {
    const kept = children === undefined || children.empty ? undefined : children;
    if (member || kept !== undefined) this.#put(element, member, kept);
  }

  /**
   * Filters the set with a tree of patterns.
   *
   * @param pattern - the patterns of the top level
   * @returns the paths that match a pattern from their start, and those on the way to a pattern
   */
  matching(pattern: FieldPattern): FieldSet {
    if (pattern === "any") return this;
    const result = new FieldSet();
    for (const node of this.#nodes.values()) {
      const below = pattern.anyElement ?? pattern.elements?.get(node.element.id);
      if (below === undefined) continue;
      result.#keep(node.element, node.member, node.children?.matching(below));
    }
    return result;
  }

  /** Returns the paths without those that have other paths of the set below them. */
  leaves(): FieldSet {
    const result = new FieldSet();
    for (const { element, member, children } of this.#nodes.values()) {
      result.#put(element, member && children === undefined, children?.leaves());
    }
    return result;
  }

  /**
   * Rebuilds the top level of a set.
   *
   * @param change - returns the changed node, or undefined to drop it
   * @returns the new set
   */
  map(change: (node: FieldNode) => FieldNode | undefined): FieldSet {
    const result = new FieldSet();
    for (const [id, node] of this.#nodes) {
      const changed = change(node);
      if (changed !== undefined) result.#nodes.set(id, changed);
    }
    return result;
  }

  /** Returns all paths: those of one level before those below. */
  paths(): FieldPath[] {
    const paths: FieldPath[] = [];
    this.#collect([], paths);
    return paths;
  }

  #collect(prefix: FieldPath, paths: FieldPath[]): void {
    const nodes = this.nodes();
    for (const { element, member } of nodes) if (member) paths.push([...prefix, element]);
    for (const { element, children } of nodes) {
      if (children !== undefined) children.#collect([...prefix, element], paths);
    }
  }

  /** Returns true if both sets have the same paths. */
  equals(other: FieldSet): boolean {
    return this.difference(other).empty && other.difference(this).empty;
  }

  /** Returns the paths, one per line. */
  toString(): string {
    return this.paths().map(pathText).join("\n");
  }

  /** Returns the set in the form of FieldsV1, with keys in canonical order. */
  toFieldsV1(): JsonObject {
    const fields: JsonObject = {};
    this.#write(fields);
    return fields;
  }

  #write(fields: JsonObject): void {
    for (const { element, member, children } of this.nodes()) {
      const below: JsonObject = {};
      if (children !== undefined && children.#nodes.size > 0) {
        if (member) below["."] = {};
        children.#write(below);
      } else if (!member) continue;
      Object.defineProperty(fields, element.id, { value: below, enumerable: true, configurable: true, writable: true });
    }
  }

  /**
   * Reads a set from FieldsV1. Elements of types that aren't known are skipped.
   *
   * @param fields - the object of `fieldsV1`
   * @returns the set
   * @throws Error if the fields are malformed
   */
  static fromFieldsV1(fields: Json | undefined): FieldSet {
    const set = new FieldSet();
    if (fields !== null && fields !== undefined) set.#read(fields, 0);
    return set;
  }

  /** Reads the paths below a node. Returns whether the node itself is in the set. */
  #read(fields: Json, depth: number): boolean {
    if (fields === null) return true;
    if (!isObject(fields)) throw new Error("ReadMapCB: expect { or n, but found other");
    if (depth > maximumDepth) throw new Error("ReadMapCB: exceeded max depth");
    let member = false;
    for (const [id, below] of Object.entries(fields)) {
      if (id === ".") {
        member = true;
        continue;
      }
      let element: PathElement | undefined;
      try {
        element = parsePathElement(id);
      } catch (error) {
        throw new Error(`parsing key as path element: ${(error as Error).message}`);
      }
      if (element === undefined) continue;
      const children = new FieldSet();
      const inSet = children.#read(below as Json, depth + 1);
      this.#put(element, inSet, children.#nodes.size === 0 ? undefined : children);
    }
    return member || this.#nodes.size === 0;
  }
}

/** A tree of patterns for paths: everything below, or patterns for the elements of one level. */
export type FieldPattern = "any" | { anyElement?: FieldPattern; elements?: ReadonlyMap<string, FieldPattern> };

/** Removes those fields from a set that a request may not set: for example `status` in updates of the main resource. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/**
 * Creates a filter that removes fields and everything below them.
 *
 * @param paths - the fields, as names without dots: `[["status"], ["metadata", "labels"]]`
 * @returns the filter
 */
export function excludeFields(paths: readonly (readonly string[])[]): FieldFilter {
  const excluded = FieldSet.of(...paths.map((names) => names.map(fieldElement)));
  return (set) => set.recursiveDifference(excluded);
}

/**
 * Creates a filter that keeps only fields that match a pattern.
 *
 * @param paths - the fields, as names without dots; `*` stands for any element, for example an item of a list
 * @returns the filter
 */
export function includeFields(paths: readonly (readonly string[])[]): FieldFilter {
  const pattern = fieldPattern(paths);
  return (set) => set.matching(pattern);
}

function fieldPattern(paths: readonly (readonly string[])[]): FieldPattern {
  if (paths.some((path) => path.length === 0)) return "any";
  const groups = new Map<string, string[][]>();
  for (const [name, ...rest] of paths as [string, ...string[]][]) {
    const id = name === "*" ? name : fieldElement(name).id;
    groups.set(id, [...(groups.get(id) ?? []), rest]);
  }
  const elements = new Map<string, FieldPattern>();
  for (const [id, rest] of [...groups].sort(([a], [b]) => compareText(a, b))) elements.set(id, fieldPattern(rest));
  const anyElement = elements.get("*");
  elements.delete("*");
  return { ...(anyElement === undefined ? {} : { anyElement }), elements };
}
