import type { ObjectSummary } from "../protocol/protocol.ts";

/** Identifies the objects of a session by their uids. */
export type ObjectMap = ReadonlyMap<string, ObjectSummary>;

/** The line to the left of a row at one level: passes by, ends at the row, branches off to it, or nothing. */
export type Guide = "line" | "end" | "branch" | "none";

/** A visible row of the tree. */
export interface TreeRow {
  readonly object: ObjectSummary;
  /** Name of the object above; unset for roots. */
  readonly owner: string | undefined;
  readonly ownerNamespace: string | undefined;
  /** Starts at 0. */
  readonly depth: number;
  readonly guides: readonly Guide[];
  readonly hasChildren: boolean;
  readonly isExpanded: boolean;
  /** Place among its siblings; starts at 1. */
  readonly position: number;
  readonly siblings: number;
  /** Whether the row only leads to rows that match the filter. */
  readonly isContext: boolean;
  /** Number of objects below that aren't ready. */
  readonly notReadyBelow: number;
}

/** Selects the objects of the tree. */
export interface TreeFilter {
  /** Words that kind, namespace or name must contain. */
  readonly text: string;
  readonly notReady: boolean;
}

const maxDepth = 16;

/** Compares owners first, then kinds, namespaces and names. Comparing code units is much faster than by locale. */
function compareObjects(a: ObjectSummary, b: ObjectSummary): number {
  if (a.own !== b.own) return a.own ? -1 : 1;
  return compareTexts(a.kind, b.kind) || compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns whether an object matches a filter. */
export function matchesFilter(object: ObjectSummary, { text, notReady }: TreeFilter): boolean {
  if (notReady && object.ready !== false) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const columns = (object.columns ?? []).map(({ value }) => value).join(" ");
  const content = `${object.kind} ${object.namespace}/${object.name} ${columns}`.toLowerCase();
  return words.every((word) => content.includes(word));
}

/** Returns the objects without a known owner. */
export function rootsOf(objects: ObjectMap): ObjectSummary[] {
  return [...objects.values()].filter((object) => ownerOf(object, objects) === undefined).sort(compareObjects);
}

/** Returns the children of an object, in the order of the tree. */
export function childrenOf(object: ObjectSummary, objects: ObjectMap): ObjectSummary[] {
  if (object.children.length === 0) return [];
  const children = object.children.flatMap((uid) => objects.get(uid) ?? []);
  return children.sort(compareObjects);
}

/** Returns the first known owner of an object, or else the object for which the operator wrote it. */
export function ownerOf(object: ObjectSummary, objects: ObjectMap): ObjectSummary | undefined {
  // Kinds of the project without owners stay at the top, regardless of their writers.
  const writers = object.own ? [] : (object.writtenFor ?? []);
  return [...object.owners, ...writers].map((uid) => objects.get(uid)).find((owner) => owner !== undefined);
}

/** Returns a function that lists the objects below an object: those that it owns, and those that were written for it. */
export function objectsBelow(objects: ObjectMap): (object: ObjectSummary) => ObjectSummary[] {
  const written = writtenByOwner(objects);
  return (object) => [...childrenOf(object, objects), ...(written.get(object.uid) ?? [])].sort(compareObjects);
}

/** Returns the objects without owners by the object for which they were written: they can be in other namespaces. */
function writtenByOwner(objects: ObjectMap): ReadonlyMap<string, readonly ObjectSummary[]> {
  const byOwner = new Map<string, ObjectSummary[]>();
  for (const object of objects.values()) {
    if (!object.writtenFor || object.own) continue;
    const owner = ownerOf(object, objects)?.uid;
    if (owner === undefined || object.owners.includes(owner)) continue;
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), object]);
  }
  return byOwner;
}

/** Returns the owner at the top of an object's tree. */
export function rootOf(object: ObjectSummary, objects: ObjectMap): ObjectSummary {
  let current = object;
  for (let depth = 0; depth < maxDepth; depth++) {
    const owner = ownerOf(current, objects);
    if (!owner) break;
    current = owner;
  }
  return current;
}

/**
 * Returns the visible rows of the owner trees. Under a filter, owners of matching objects are visible too.
 *
 * @param isExpanded - whether the children of an object are visible; ignored under a filter
 */
export function treeRows(objects: ObjectMap, filter: TreeFilter, isExpanded: (uid: string) => boolean): TreeRow[] {
  const isFiltered = filter.text.trim() !== "" || filter.notReady;
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const belowOf = objectsBelow(objects);
  const visit = (
    siblings: readonly ObjectSummary[],
    depth: number,
    above: readonly Guide[],
    owner?: string,
    ownerNamespace?: string,
  ): number => {
    let notReady = 0;
    let lastRow = -1;
    const starts: number[] = [];
    for (const object of siblings) {
      if (seen.has(object.uid) || depth > maxDepth) continue;
      seen.add(object.uid);
      const index = rows.length;
      const children = belowOf(object);
      const matches = !isFiltered || matchesFilter(object, filter);
      const expanded = children.length > 0 && (isFiltered || isExpanded(object.uid));
      // The row comes before its children, but depends on them.
      rows.push(undefined as unknown as TreeRow);
      const guidesBelow: Guide[] = depth === 0 ? [] : [...above, "line"];
      const below = expanded
        ? visit(children, depth + 1, guidesBelow, object.name, object.namespace)
        : countNotReady(children, objects, depth);
      notReady += below + (object.ready === false ? 1 : 0);
      if (!matches && rows.length === index + 1) {
        rows.pop();
        continue;
      }
      starts.push(index);
      lastRow = index;
      rows[index] = {
        object,
        owner,
        ownerNamespace,
        depth,
        guides: depth === 0 ? [] : [...above, "branch"],
        hasChildren: children.length > 0,
        isExpanded: expanded,
        position: starts.length,
        siblings: 0,
        isContext: isFiltered && !matches,
        notReadyBelow: below,
      };
    }
    for (const index of starts) rows[index] = { ...rows[index], siblings: starts.length } as TreeRow;
    if (depth > 0 && lastRow >= 0) endGuides(rows, lastRow, depth - 1);
    return notReady;
  };
  visit(rootsOf(objects), 0, []);
  return rows;
}

/** Ends the line of a level at the last sibling: nothing passes by the rows below. */
function endGuides(rows: TreeRow[], last: number, level: number): void {
  for (let index = last; index < rows.length; index++) {
    const row = rows[index];
    if (!row) continue;
    const guides = [...row.guides];
    guides[level] = index === last ? "end" : "none";
    rows[index] = { ...row, guides };
  }
}

function countNotReady(children: readonly ObjectSummary[], objects: ObjectMap, depth: number): number {
  if (depth > maxDepth) return 0;
  return children.reduce(
    (sum, child) =>
      sum + (child.ready === false ? 1 : 0) + countNotReady(childrenOf(child, objects), objects, depth + 1),
    0,
  );
}
