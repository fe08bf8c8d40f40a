import type { ObjectSummary } from "../protocol/protocol.ts";
import { type ObjectMap, objectsBelow } from "./object-tree.ts";

/** A node of the picture: an object, or the number of siblings that aren't shown. */
export interface GraphNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly object?: ObjectSummary;
  /** Number and kind of the siblings. */
  readonly more?: { readonly count: number; readonly kind: string; readonly notReady: number };
}

/** A line from an owner to an object that it owns. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
}

/** The picture of an owner tree. */
export interface OwnerGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

/** Sizes of the picture, in pixels. */
export interface GraphSizes {
  /** `columns`: owners to the left of what they own. `indented`: one row per object, for narrow screens. */
  readonly layout: "columns" | "indented";
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** Space between columns, or indentation. */
  readonly gap: number;
  readonly rowGap: number;
}

const shownSiblings = 6;
const maxDepth = 8;

/**
 * Lays out an owner tree. Of many siblings of one kind, only the first ones are shown, those that aren't ready before the
 * others.
 */
export function ownerGraph(root: ObjectSummary, objects: ObjectMap, sizes: GraphSizes): OwnerGraph {
  const { layout, nodeWidth, nodeHeight, gap, rowGap } = sizes;
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const seen = new Set<string>();
  const row = nodeHeight + rowGap;
  const belowOf = objectsBelow(objects);
  let nextY = 0;
  const xOf = (depth: number) => depth * (layout === "columns" ? nodeWidth + gap : gap);

  const place = (item: Item, depth: number): GraphNode => {
    if (!("object" in item)) {
      const node = { id: item.id, x: xOf(depth), y: nextY, more: item.more };
      nextY += row;
      nodes.push(node);
      return node;
    }
    const { object } = item;
    seen.add(object.uid);
    const ownY = nextY;
    if (layout === "indented") nextY += row;
    const below = depth < maxDepth ? itemsOf(object.uid, belowOf(object), seen) : [];
    const children = below.map((child) => place(child, depth + 1));
    let y = ownY;
    if (layout === "columns") {
      const [first, last] = [children[0], children.at(-1)];
      if (first && last) y = (first.y + last.y) / 2;
      else nextY += row;
    }
    const node = { id: object.uid, x: xOf(depth), y, object };
    nodes.push(node);
    for (const child of children) edges.push({ from: node, to: child });
    return node;
  };
  place({ id: root.uid, object: root }, 0);
  return {
    nodes,
    edges,
    width: Math.max(...nodes.map(({ x }) => x)) + nodeWidth,
    height: Math.max(...nodes.map(({ y }) => y)) + nodeHeight,
  };
}

type Item = { readonly id: string } & (
  | { readonly object: ObjectSummary }
  | { readonly more: NonNullable<GraphNode["more"]> }
);

function itemsOf(owner: string, below: readonly ObjectSummary[], seen: ReadonlySet<string>): Item[] {
  const byKind = new Map<string, ObjectSummary[]>();
  for (const child of below) {
    if (!seen.has(child.uid)) byKind.set(child.kind, [...(byKind.get(child.kind) ?? []), child]);
  }
  return [...byKind].flatMap(([kind, siblings]): Item[] => {
    if (siblings.length <= shownSiblings) return siblings.map((object) => ({ id: object.uid, object }));
    const urgent = [...siblings].sort((a, b) => Number(a.ready !== false) - Number(b.ready !== false));
    const rest = urgent.slice(shownSiblings - 1);
    return [
      ...urgent.slice(0, shownSiblings - 1).map((object) => ({ id: object.uid, object })),
      {
        id: `${owner}/${kind}`,
        more: { count: rest.length, kind, notReady: rest.filter(({ ready }) => ready === false).length },
      },
    ];
  });
}
