import { compareText, isObject, type Json } from "@kubewright/cel/json";
import { decodeManagedFields, encodeManagedFields, type ManagedFields, noManagedFields } from "./managed-fields.ts";
import { FieldSet } from "./typed/field-set.ts";
import { type FieldPath, fieldElement, fieldPath } from "./typed/path-element.ts";

/**
 * The path of the replicas in each version of a resource: the names of nested fields, or null if the version has no scale
 * subresource. Versions that aren't listed don't exist.
 */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | null>>;

const scaleVersion = "autoscaling/v1";
const scalePath = fieldPath("spec", "replicas");

function replicasPath(paths: ReplicasPaths, apiVersion: string): FieldPath | null | undefined {
  if (!Object.hasOwn(paths, apiVersion)) return undefined;
  return paths[apiVersion]?.map(fieldElement) ?? null;
}

function setTime(target: ManagedFields, manager: string, source: ManagedFields): void {
  const time = source.times.get(manager);
  if (time !== undefined) target.times.set(manager, time);
}

/**
 * Returns the managed fields of a resource's scale: the owners of its replicas.
 *
 * @param parentEntries - `metadata.managedFields` of the resource
 * @param paths - the path of the replicas in each version
 * @returns the entries for the Scale
 * @throws Error if the entries are invalid
 */
export function managedFieldsOfScale(parentEntries: Json | undefined, paths: ReplicasPaths): Json[] | undefined {
  const parent = decodeManagedFields(parentEntries);
  const scale = noManagedFields();
  for (const [manager, { set, apiVersion, applied }] of parent.owners) {
    const path = replicasPath(paths, apiVersion);
    if (!path || !set.has(path)) continue;
    scale.owners.set(manager, { set: FieldSet.of(scalePath), apiVersion: scaleVersion, applied });
    setTime(scale, manager, parent);
  }
  return encodeManagedFields(scale);
}

/**
 * Returns the managed fields of a resource after a write of its scale.
 *
 * @param parentEntries - `metadata.managedFields` of the resource
 * @param scaleEntries - `metadata.managedFields` of the written Scale
 * @param apiVersion - the version of the resource in the request
 * @param paths - the path of the replicas in each version
 * @returns the entries for the resource
 * @throws Error if entries are invalid
 */
export function managedFieldsAfterScale(
  parentEntries: Json | undefined,
  scaleEntries: Json | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): Json[] | undefined {
  const parent = decodeManagedFields(parentEntries);
  const scale = decodeManagedFields(scaleEntries);
  const result = noManagedFields();
  const keep = (manager: string, fields: ManagedFields["owners"] extends Map<string, infer V> ? V : never) => {
    result.owners.set(manager, fields);
    setTime(result, manager, parent);
  };
  for (const [manager, fields] of parent.owners) {
    const path = replicasPath(paths, fields.apiVersion);
    if (path === undefined) continue;
    if (path === null || !fields.set.has(path)) keep(manager, fields);
    else if (scale.owners.delete(manager)) keep(manager, fields);
    else {
      // Somebody else wrote the replicas.
      const set = fields.set.difference(FieldSet.of(path));
      if (!set.empty) keep(manager, { ...fields, set });
    }
  }
  const path = replicasPath(paths, apiVersion);
  for (const [manager, { set, applied }] of scale.owners) {
    if (!path || !set.has(scalePath)) continue;
    // The entry has the time of the manager's entry in the resource, if there is one, as in kube-apiserver.
    keep(manager, { set: FieldSet.of(path), apiVersion, applied });
  }
  return encodeManagedFields(result)?.map(withSortedKeys);
}

/** Sorts keys by their text, as kube-apiserver does here. `keepTimes` compares the order of keys for built-in kinds. */
function withSortedKeys(value: Json): Json {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, part]) => [key, withSortedKeys(part as Json)]));
}
