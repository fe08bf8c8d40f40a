import type { JsonObject } from "../../json/object.ts";
import { same } from "../json-patch.ts";
import type { Schema } from "../schema/schema.ts";
import { both, type FieldSet, fieldSetOf, type Places, placesOf, withOwnerPaths, without } from "./field-set.ts";
import { mergeApplied, removePaths } from "./merge.ts";
import { type Path, pathText } from "./paths.ts";

/** A field manager: its name, and the operation, version and subresource of its writes. */
export interface Owner {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: "" | "status";
}

interface Ownership {
  readonly owner: Owner;
  readonly fields: FieldSet;
}

/** The owners of one object's fields. Immutable. */
export type Owners = ReadonlyMap<string, Ownership>;

export interface Conflict {
  readonly owner: Owner;
  readonly path: Path;
}

export interface Applied {
  readonly object: JsonObject;
  readonly owners: Owners;
  readonly conflicts: readonly Conflict[];
}

/** Name of the owner of all fields that were set before the first apply, as on API servers. */
const BEFORE_FIRST_APPLY = "before-first-apply";

function idOf({ name, operation, subresource }: Owner): string {
  return `${name}/${operation}/${subresource}`;
}

/**
 * Performs a server-side apply: merges the applied fields into the live object, and removes fields that this owner applied
 * before and that have no other owner. Changing a field of another owner is a conflict. Unless the apply is forced, discard
 * the result if there are conflicts.
 */
export function applyFields(
  live: JsonObject,
  applied: JsonObject,
  schema: Schema | undefined,
  owner: Owner,
  owners: Owners,
): Applied {
  const last = owners.get(idOf(owner))?.fields ?? new Map();
  const given = fieldSetOf(placesOf(applied, schema));
  const claimed = new Map(owners).set(idOf(owner), { owner, fields: ownable(given) });
  const merged = mergeApplied(live, applied, schema) as JsonObject;
  // The previously applied fields include their containers, so that `metadata` remains when the last label is removed.
  const object = prune(
    merged,
    schema,
    withOwnerPaths(last),
    new Map(claimed).set(idOf(owner), { owner, fields: given }),
  );
  const { owners: left, conflicts } = settle(live, object, schema, owner, claimed);
  return { object, owners: left, conflicts };
}

/** Returns the owners after a write other than apply: the writer owns the fields that changed. */
export function ownersAfter(
  live: JsonObject,
  object: JsonObject,
  schema: Schema | undefined,
  owner: Owner,
  owners: Owners,
): Owners {
  const { owners: left, changed, removed } = settle(live, object, schema, owner, owners);
  const before = owners.get(idOf(owner))?.fields ?? new Map();
  const fields = ownable(new Map([...without(before, removed), ...changed]));
  const next = new Map(left);
  if (fields.size > 0) next.set(idOf(owner), { owner, fields });
  else next.delete(idOf(owner));
  return next;
}

/** Returns the owners of an object whose writers are unknown. */
export function firstOwners(live: JsonObject, schema: Schema | undefined, apiVersion: string): Owners {
  const owner: Owner = { name: BEFORE_FIRST_APPLY, operation: "Update", apiVersion, subresource: "" };
  return new Map([[idOf(owner), { owner, fields: ownable(fieldSetOf(placesOf(live, schema))) }]]);
}

// Other owners lose the fields that are changed or removed. Each changed field of another owner is a conflict.
function settle(
  live: JsonObject,
  object: JsonObject,
  schema: Schema | undefined,
  owner: Owner,
  owners: Owners,
): { owners: Owners; conflicts: Conflict[]; changed: FieldSet; removed: FieldSet } {
  const { changed, removed } = compare(placesOf(live, schema), placesOf(object, schema));
  const conflicts: Conflict[] = [];
  const left = new Map<string, Ownership>();
  for (const [id, ownership] of owners) {
    if (id === idOf(owner)) {
      left.set(id, ownership);
      continue;
    }
    for (const path of both(ownership.fields, changed).values()) conflicts.push({ owner: ownership.owner, path });
    const fields = without(ownership.fields, changed, removed);
    if (fields.size > 0) left.set(id, { owner: ownership.owner, fields });
  }
  return { owners: left, conflicts, changed, removed };
}

function compare(before: Places, after: Places): { changed: FieldSet; removed: FieldSet } {
  const changed: FieldSet = new Map();
  for (const [text, place] of after) {
    const old = before.get(text);
    const isSame = old !== undefined && (!place.isLeaf || (old.isLeaf && same(old.value, place.value)));
    if (!isSame && place.canBeOwned) changed.set(text, place.path);
  }
  return { changed, removed: without(fieldSetOf(before), after) };
}

// Removes the fields that the owner applied last time, unless they have another owner or contain fields of another owner.
function prune(merged: JsonObject, schema: Schema | undefined, last: FieldSet, owners: Owners): JsonObject {
  if (last.size === 0) return merged;
  const setOf = (value: unknown): FieldSet => withOwnerPaths(fieldSetOf(placesOf(value, schema)));
  const all = setOf(merged);
  const owned = withOwnerPaths(new Map([...owners.values()].flatMap(({ fields }) => [...fields])));
  const withoutLast = setOf(removePaths(merged, schema, last));
  const withOwned = setOf(removePaths(merged, schema, without(all, withoutLast, owned)));
  return (removePaths(merged, schema, both(without(all, withOwned), last)) ?? {}) as JsonObject;
}

// Identity and fields that only the server writes have no owner.
const UNOWNED: ReadonlySet<string> = new Set([
  pathText([{ field: "apiVersion" }]),
  pathText([{ field: "kind" }]),
  pathText([{ field: "metadata" }]),
  ...[
    "name",
    "namespace",
    "generateName",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "uid",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((field) => pathText([{ field: "metadata" }, { field }])),
]);

function ownable(fields: FieldSet): FieldSet {
  return new Map([...fields].filter(([text]) => !UNOWNED.has(text)));
}
