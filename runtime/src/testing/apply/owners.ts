import type { JsonObject } from "../../json/object.ts";
import { same } from "../json-patch.ts";
import type { Schema } from "../schema/schema.ts";
import { both, type FieldSet, fieldSetOf, type Places, placesOf, withHolders, without } from "./field-set.ts";
import { mergeApplied, removePaths } from "./merge.ts";
import { type Path, pathText } from "./paths.ts";

/** Who wrote fields, and by which door. */
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

/** The owners of one object's fields. Never changed in place. */
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

/** What the owner of everything is called that was there before the first apply. */
const BEFORE_FIRST_APPLY = "before-first-apply";

function idOf({ name, operation, subresource }: Owner): string {
  return `${name}/${operation}/${subresource}`;
}

/**
 * Server-side apply: the live object with what is applied in it, without what the owner applied before and nobody else owns. What
 * others own and it would change are conflicts; unless forced, nothing may come of it then.
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
  // The name keeps `metadata` when the last label goes.
  const object = prune(merged, schema, withHolders(last), new Map(claimed).set(idOf(owner), { owner, fields: given }));
  const { owners: left, conflicts } = settle(live, object, schema, owner, claimed);
  return { object, owners: left, conflicts };
}

/** The owners after a write that is no apply: whoever wrote owns what changed. */
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

/** Who owns an object of which nobody knows who wrote it. */
export function firstOwners(live: JsonObject, schema: Schema | undefined, apiVersion: string): Owners {
  const owner: Owner = { name: BEFORE_FIRST_APPLY, operation: "Update", apiVersion, subresource: "" };
  return new Map([[idOf(owner), { owner, fields: ownable(fieldSetOf(placesOf(live, schema))) }]]);
}

// Others lose what is changed or removed; what is changed of theirs is a conflict.
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

// Goes what the owner applied last time, unless somebody owns it now, or what isn't the owner's lies in it.
function prune(merged: JsonObject, schema: Schema | undefined, last: FieldSet, owners: Owners): JsonObject {
  if (last.size === 0) return merged;
  const setOf = (value: unknown): FieldSet => withHolders(fieldSetOf(placesOf(value, schema)));
  const all = setOf(merged);
  const owned = withHolders(new Map([...owners.values()].flatMap(({ fields }) => [...fields])));
  const withoutLast = setOf(removePaths(merged, schema, last));
  const withOwned = setOf(removePaths(merged, schema, without(all, withoutLast, owned)));
  return (removePaths(merged, schema, both(without(all, withOwned), last)) ?? {}) as JsonObject;
}

// Identity and what only the server writes is nobody's.
const NOBODYS: ReadonlySet<string> = new Set([
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
  return new Map([...fields].filter(([text]) => !NOBODYS.has(text)));
}
