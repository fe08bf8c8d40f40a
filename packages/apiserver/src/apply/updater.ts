import { compareText, type Json } from "@kubewright/cel/json";
import { ConflictError } from "./conflicts.ts";
import { PendingConversion } from "./conversion.ts";
import type { OwnedFields } from "./managed-fields.ts";
import { reconcileWithSchema, withNamedFields } from "./schema-changes.ts";
import { type Comparison, compare, filterComparison } from "./typed/compare.ts";
import { type FieldFilter, FieldSet } from "./typed/field-set.ts";
import { merge } from "./typed/merge.ts";
import { removeItems } from "./typed/remove-items.ts";
import { toFieldSet } from "./typed/to-field-set.ts";
import type { ValueType } from "./typed/value-type.ts";
import { equalValues } from "./typed/values.ts";

/** A value with its type, in one version of the API. */
export interface TypedValue {
  readonly value: Json;
  readonly type: ValueType;
  readonly apiVersion: string;
}

/** The versions of a kind, for the operations of this file. */
export interface Versions {
  /**
   * Converts a value to another version.
   *
   * @returns the converted value, or undefined if the version doesn't exist
   * @throws Error if the conversion fails
   */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined;
  /** Returns the filter for fields that requests in this version can't set. */
  resetFields(apiVersion: string): FieldFilter | undefined;
}

type Owners = Map<string, OwnedFields>;

/**
 * Computes the owners after a value was created, updated or patched.
 *
 * @param versions - the versions of the kind
 * @param live - the value before
 * @param updated - the value after, in the same version
 * @param owners - the owners before
 * @param manager - the identifier of the manager that wrote the value
 * @returns the owners after: the manager owns what it changed, and the fields that it removed have no owner
 */
export function updateOwners(
  versions: Versions,
  live: TypedValue,
  updated: TypedValue,
  owners: Owners,
  manager: string,
): Owners {
  const reconciled = reconcileOwners(versions, live, owners);
  const { apiVersion } = updated;
  const { comparison, remaining } = transferOwnership(versions, live, updated, reconciled, manager, true);
  const own = remaining.get(manager)?.set ?? new FieldSet();
  let set = own.difference(comparison.removed).union(comparison.modified).union(comparison.added);
  const filter = versions.resetFields(apiVersion);
  if (filter !== undefined) set = filter(set);
  if (set.empty) remaining.delete(manager);
  else remaining.set(manager, { set, apiVersion, applied: false });
  return remaining;
}

/**
 * Applies a configuration to a value.
 *
 * @param versions - the versions of the kind
 * @param live - the value before
 * @param config - the configuration, in the same version
 * @param owners - the owners before
 * @param manager - the identifier of the manager that applies
 * @param force - whether conflicting fields change their owner
 * @returns the value after, or undefined if it's the same, and the owners after
 * @throws ConflictError if other managers own fields that change, unless forced
 */
export function applyConfiguration(
  versions: Versions,
  live: TypedValue,
  config: TypedValue,
  owners: Owners,
  manager: string,
  force: boolean,
): { merged: TypedValue | undefined; owners: Owners } {
  const reconciled = reconcileOwners(versions, live, owners);
  const { apiVersion, type } = config;
  let merged: TypedValue = {
    value: describe("failed to merge config", () => merge(type, live.value, config.value)),
    type,
    apiVersion,
  };
  const last = reconciled.get(manager);
  let set = toFieldSet(type, config.value);
  const filter = versions.resetFields(apiVersion);
  if (filter !== undefined) set = filter(set);
  reconciled.set(manager, { set, apiVersion, applied: true });
  merged = describe("failed to prune fields", () => prune(versions, merged, reconciled, manager, last));
  const { remaining } = transferOwnership(versions, live, merged, reconciled, manager, force);
  return { merged: equalValues(live.value, merged.value) ? undefined : merged, owners: remaining };
}

function describe<Result>(context: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof PendingConversion) throw error;
    throw new Error(`${context}: ${(error as Error).message}`);
  }
}

/** Adapts owners to schemas that changed since they wrote, and drops those of versions that don't exist anymore. */
function reconcileOwners(versions: Versions, live: TypedValue, owners: Owners): Owners {
  const reconciled: Owners = new Map();
  for (const [manager, fields] of owners) {
    const versioned = versions.convert(live, fields.apiVersion);
    if (versioned === undefined) continue;
    reconciled.set(manager, { ...fields, set: reconcileWithSchema(versioned.type, fields.set) });
  }
  return reconciled;
}

/** Takes fields that changed from their other owners. */
function transferOwnership(
  versions: Versions,
  live: TypedValue,
  updated: TypedValue,
  owners: Owners,
  manager: string,
  force: boolean,
): { comparison: Comparison; remaining: Owners } {
  const comparisons = new Map<string, Comparison | undefined>();
  const compareIn = (apiVersion: string, before: TypedValue | undefined, after: TypedValue | undefined) => {
    const comparison =
      before && after
        ? filterComparison(
            describe("failed to compare objects", () => compare(before.type, before.value, after.value)),
            versions.resetFields(apiVersion),
          )
        : undefined;
    comparisons.set(apiVersion, comparison);
    return comparison;
  };
  const comparison = compareIn(updated.apiVersion, live, updated) as Comparison;
  const conflicts = new Map<string, FieldSet>();
  const remaining: Owners = new Map();
  for (const [name, fields] of owners) {
    if (name === manager) {
      remaining.set(name, fields);
      continue;
    }
    const { apiVersion } = fields;
    const changes = comparisons.has(apiVersion)
      ? comparisons.get(apiVersion)
      : compareIn(
          apiVersion,
          describe("failed to convert old object", () => versions.convert(live, apiVersion)),
          describe("failed to convert new object", () => versions.convert(updated, apiVersion)),
        );
    if (changes === undefined) continue;
    const conflict = fields.set.intersection(changes.modified.union(changes.added));
    let { set } = fields;
    if (!conflict.empty) {
      conflicts.set(name, conflict);
      set = set.difference(conflict);
    }
    remaining.set(name, { ...fields, set: set.difference(changes.removed) });
  }
  if (!force && conflicts.size > 0) throw ConflictError.of(conflicts);
  for (const [name, { set }] of remaining) if (set.empty) remaining.delete(name);
  return { comparison, remaining };
}

/**
 * Removes what a manager applied before and doesn't apply anymore, unless somebody else owns it or it contains parts that
 * somebody else owns.
 */
function prune(
  versions: Versions,
  merged: TypedValue,
  owners: Owners,
  manager: string,
  last: OwnedFields | undefined,
): TypedValue {
  if (last === undefined || last.set.empty) return merged;
  const converted = describe("failed to convert merged object to last applied version", () =>
    versions.convert(merged, last.apiVersion));
  if (converted === undefined) return merged;
  const without = remove(converted, withNamedFields(converted.type, last.set));
  const owned = describe("failed add back owned items", () =>
    addBackOwned(versions, converted, without, last.apiVersion, owners));
  const pruned = describe("failed add back dangling items", () => addBackDangling(versions, converted, owned, last));
  const result = versions.convert(pruned, (owners.get(manager) as OwnedFields).apiVersion);
  if (result === undefined) throw new Error("no corresponding type");
  return result;
}

const remove = (typed: TypedValue, set: FieldSet): TypedValue => ({
  ...typed,
  value: removeItems(typed.type, typed.value, set),
});

const namedFieldsOf = ({ type, value }: TypedValue): FieldSet => withNamedFields(type, toFieldSet(type, value));

/** Adds back what somebody owns, first in the version of the removed fields, because conversions may need them. */
function addBackOwned(
  versions: Versions,
  merged: TypedValue,
  pruned: TypedValue,
  prunedVersion: string,
  owners: Owners,
): TypedValue {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, set } of owners.values()) {
    byVersion.set(apiVersion, set.union(byVersion.get(apiVersion) ?? new FieldSet()));
  }
  const rank = (apiVersion: string) => (apiVersion === prunedVersion ? 0 : 1);
  const inOrder = [...byVersion].sort(([a], [b]) => rank(a) - rank(b) || compareText(a, b));
  let currentMerged = merged;
  let currentPruned = pruned;
  for (const [apiVersion, owned] of inOrder) {
    const convert = (what: string, object: TypedValue) =>
      describe(`failed to convert ${what} object at version ${apiVersion}`, () => versions.convert(object, apiVersion));
    const versionedMerged = convert("merged", currentMerged);
    if (versionedMerged === undefined) continue;
    currentMerged = versionedMerged;
    const versionedPruned = convert("pruned", currentPruned);
    if (versionedPruned === undefined) continue;
    const kept = namedFieldsOf(versionedPruned).union(withNamedFields(versionedMerged.type, owned));
    currentPruned = remove(versionedMerged, namedFieldsOf(versionedMerged).difference(kept));
  }
  return currentPruned;
}

/** Removes only what the manager owned itself, so that parts without an owner remain. */
function addBackDangling(versions: Versions, merged: TypedValue, pruned: TypedValue, last: OwnedFields): TypedValue {
  const versionedPruned = describe("failed to convert pruned object to last applied version", () =>
    versions.convert(pruned, last.apiVersion));
  if (versionedPruned === undefined) return merged;
  const removed = namedFieldsOf(merged).difference(namedFieldsOf(versionedPruned));
  return remove(merged, removed.intersection(withNamedFields(merged.type, last.set)));
}
