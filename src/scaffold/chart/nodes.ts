// The nodes of a chart template: YAML with conditional parts.
import { isFields, isList, type Value } from "../../yaml/plain-values.ts";
import type { Condition } from "./conditions.ts";

export type Node = Plain | MapNode | ListNode | Either | Expression | Block;

/** A value that is the same under all choices. */
export interface Plain {
  readonly is: "plain";
  readonly value: Value;
}

export interface MapNode {
  readonly is: "map";
  readonly entries: readonly Entry[];
  /** The condition under which there are any entries; otherwise the map is empty. */
  readonly some: Condition;
}

export interface Entry {
  /** Empty for a block that produces entries with their own keys. */
  readonly key: string;
  readonly when: Condition;
  readonly node: Node;
}

export interface ListNode {
  readonly is: "list";
  readonly items: readonly Item[];
  readonly some: Condition;
}

export interface Item {
  readonly when: Condition;
  readonly node: Node;
}

/** One of several nodes: the first whose condition holds, otherwise the last one. */
export interface Either {
  readonly is: "either";
  readonly cases: readonly { readonly when: Condition; readonly node: Node }[];
}

/** A Helm expression on one line: `{{ .Values.manager.replicas }}`. */
export interface Expression {
  readonly is: "expression";
  readonly text: string;
}

/** Lines below a key, or items of a list, that depend on the indentation. */
export interface Block {
  readonly is: "block";
  readonly lines: (indent: number) => readonly string[];
}

export const plain = (value: Value): Plain => ({ is: "plain", value });
export const expression = (text: string): Expression => ({ is: "expression", text });
export const block = (lines: (indent: number) => readonly string[]): Block => ({ is: "block", lines });
export const entry = (key: string, node: Node, when?: Condition): Entry => ({ key, when, node });

/** Returns a node as a map whose entries can be changed, or undefined if it isn't a map. */
export function asMap(node: Node | undefined): MapNode | undefined {
  if (node?.is === "map") return node;
  if (node?.is !== "plain" || !isFields(node.value)) return undefined;
  return {
    is: "map",
    entries: Object.entries(node.value).map(([key, value]) => entry(key, plain(value))),
    some: undefined,
  };
}

/** Returns a node as a list whose items can be changed, or undefined if it isn't a list. */
export function asList(node: Node | undefined): ListNode | undefined {
  if (node?.is === "list") return node;
  if (node?.is !== "plain" || !isList(node.value)) return undefined;
  return { is: "list", items: node.value.map((value) => ({ when: undefined, node: plain(value) })), some: undefined };
}

/** Returns the node at a path of keys, or undefined. */
export function nodeAt(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((at, key) => asMap(at)?.entries.find((each) => each.key === key)?.node, node);
}

/** Returns the plain value of a node, or undefined. */
export function plainValue(node: Node | undefined): Value | undefined {
  return node?.is === "plain" ? node.value : undefined;
}

/** Changes the node at a path of keys. Creates missing maps on the path, and removes an entry that becomes undefined. */
export function changeNode(
  node: Node | undefined,
  path: readonly string[],
  change: (node?: Node) => Node | undefined,
): Node {
  const [key, ...rest] = path;
  if (key === undefined) return change(node) ?? plain(null);
  const map = asMap(node) ?? { is: "map" as const, entries: [], some: undefined };
  const at = map.entries.findIndex((each) => each.key === key);
  const old = map.entries[at];
  const next = rest.length === 0 ? change(old?.node) : changeNode(old?.node, rest, change);
  if (next === undefined) return { ...map, entries: map.entries.filter((each) => each !== old) };
  if (old === undefined) return { ...map, some: undefined, entries: [...map.entries, entry(key, next)] };
  return { ...map, entries: map.entries.map((each) => (each === old ? { ...each, node: next } : each)) };
}

/** Changes all scalars of a node; `path` contains keys, and `*` for list items. */
export function mapScalars(
  node: Node,
  change: (value: Value, path: readonly string[]) => Node | undefined,
  path: readonly string[] = [],
): Node {
  switch (node.is) {
    case "plain": {
      const { value } = node;
      if (!isFields(value) && !isList(value)) return change(value, path) ?? node;
      const open = asMap(node) ?? asList(node);
      const mapped = open === undefined ? node : mapScalars(open, change, path);
      // Keep unchanged parts plain, so that they are written as one.
      return mapped !== open ? mapped : node;
    }
    case "map": {
      const entries = node.entries.map((each) => mapped(each, change, [...path, each.key]));
      return entries.every((each, at) => each === node.entries[at]) ? node : { ...node, entries };
    }
    case "list": {
      const items = node.items.map((each) => mapped(each, change, [...path, "*"]));
      return items.every((each, at) => each === node.items[at]) ? node : { ...node, items };
    }
    case "either":
      return { ...node, cases: node.cases.map((each) => mapped(each, change, path)) };
    default:
      return node;
  }
}

function mapped<T extends { readonly node: Node }>(
  part: T,
  change: (value: Value, path: readonly string[]) => Node | undefined,
  path: readonly string[],
): T {
  const node = mapScalars(part.node, change, path);
  return node === part.node ? part : { ...part, node };
}
