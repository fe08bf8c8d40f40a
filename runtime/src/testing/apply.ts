import { cloneJson } from "../json/clone.ts";
import { same } from "./json-patch.ts";
import { isObject } from "./merge-patch.ts";

/** What one owner has said with its last apply: values by path. Lists are values as a whole. */
export type AppliedFields = Map<string, unknown>;

/** Owners and what they applied to one object. */
export type Owners = Map<string, AppliedFields>;

export interface ApplyOutcome {
  /** The object with what is applied in it, or `undefined` when others own some of it. */
  result: Record<string, unknown> | undefined;
  conflicts: { owner: string; path: string }[];
}

// Identity is no field that somebody owns.
const IDENTITY = new Set([
  "apiVersion",
  "kind",
  "metadata.name",
  "metadata.namespace",
  "metadata.resourceVersion",
  "metadata.uid",
]);

/**
 * Server-side apply as far as it works without a schema: objects are merged field by field, lists are replaced as a
 * whole; what an owner no longer applies goes, unless another owner applies it; a field that another owner applied with
 * another value is a conflict, unless forced. `owners` is brought up to date when there is none.
 */
export function applyFields(
  current: Record<string, unknown>,
  applied: Record<string, unknown>,
  owner: string,
  force: boolean,
  owners: Owners,
): ApplyOutcome {
  const fields = leaves(applied);
  const conflicts: ApplyOutcome["conflicts"] = [];
  for (const [other, theirs] of owners) {
    if (other === owner) continue;
    for (const [path, value] of fields) {
      if (theirs.has(path) && !same(theirs.get(path), value)) conflicts.push({ owner: other, path });
    }
  }
  if (conflicts.length > 0 && !force) return { result: undefined, conflicts };

  const result = cloneJson(current);
  for (const path of owners.get(owner)?.keys() ?? []) {
    if (!fields.has(path) && !ownedByAnother(owners, owner, path)) removeAt(result, path.split(SEPARATOR));
  }
  for (const [path, value] of fields) setAt(result, path.split(SEPARATOR), value);
  for (const { owner: loser, path } of conflicts) owners.get(loser)?.delete(path);
  owners.set(owner, fields);
  return { result, conflicts: [] };
}

// Keys may hold dots (labels do), so paths are divided by a character that JSON keys in practice don't have.
const SEPARATOR = "\u0000";

/** A path as people write it. */
export function readablePath(path: string): string {
  return path
    .split(SEPARATOR)
    .map((key) => `.${key}`)
    .join("");
}

function leaves(
  value: Record<string, unknown>,
  prefix: readonly string[] = [],
  into: AppliedFields = new Map(),
): AppliedFields {
  for (const [key, field] of Object.entries(value)) {
    const path = [...prefix, key];
    if (field === undefined || IDENTITY.has(path.join("."))) continue;
    if (isObject(field) && Object.keys(field).length > 0) leaves(field, path, into);
    else into.set(path.join(SEPARATOR), cloneJson(field));
  }
  return into;
}

function ownedByAnother(owners: Owners, owner: string, path: string): boolean {
  return [...owners].some(([other, fields]) => other !== owner && fields.has(path));
}

function setAt(object: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let at = object;
  for (const key of keys.slice(0, -1)) {
    const next = at[key];
    at[key] = isObject(next) ? next : {};
    at = at[key] as Record<string, unknown>;
  }
  const last = keys.at(-1) ?? "";
  // An empty object says that the field is there, not that it is empty.
  if (isObject(value) && isObject(at[last])) return;
  at[last] = cloneJson(value);
}

function removeAt(object: Record<string, unknown>, keys: readonly string[]): void {
  const [key = "", ...rest] = keys;
  if (rest.length === 0) {
    delete object[key];
    return;
  }
  const next = object[key];
  if (!isObject(next)) return;
  removeAt(next, rest);
  // Objects that only held what is gone now go too.
  if (Object.keys(next).length === 0) delete object[key];
}
