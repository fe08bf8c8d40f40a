import type { KubernetesObject } from "../../api/index.ts";
import { changes, type FieldChange } from "../report/differences.ts";
import type { Tracked } from "../world/state.ts";
import { touched } from "../world/touch.ts";

/** The state of the server that the operator and the user determine, without names and times that differ by nature. */
export type Snapshot = ReadonlyMap<string, unknown>;

/** Fields and objects that differ between runs without faults, such as generated names. They aren't compared. */
export interface Varying {
  /** Paths of fields, by object. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Kinds of objects with varying names. Only their number is compared. */
  kinds: ReadonlySet<string>;
  /** Objects that exist in some of the runs. */
  objects: ReadonlySet<string>;
  /** Kinds whose number of objects differs between the runs. */
  counts: ReadonlySet<string>;
}

/** Nothing varies. */
export const noVariation: Varying = { fields: new Map(), kinds: new Set(), objects: new Set(), counts: new Set() };

/**
 * Finds out what differs by nature.
 *
 * @param one - the snapshots of a run without faults
 * @param other - those of a run with other random numbers and times
 */
export function variation(one: readonly Snapshot[], other: readonly Snapshot[]): Varying {
  const { fields, objects } = difference(one, other);
  return { fields, kinds: new Set([...objects].map(kindOf)), objects: new Set(), counts: new Set() };
}

/**
 * Finds out what differs if the objects of the user were deleted and created again: what the operator keeps about their past,
 * such as a list of revisions, begins anew.
 *
 * @param one - the snapshots of a run without faults
 * @param other - those of a run in which all objects of the user were created again before each snapshot
 */
export function history(one: readonly Snapshot[], other: readonly Snapshot[]): Varying {
  const { fields, objects } = difference(one, other);
  // The items of a list move when earlier ones are gone.
  const lists = [...fields].map(
    ([id, paths]) => [id, new Set([...paths].map((path) => path.split("[", 1)[0] ?? ""))] as const,
  );
  const counts = [...new Set([...objects].map(kindOf))].filter((kind) =>
    one.some((snapshot, index) => countOf(snapshot, kind) !== countOf(other[index] ?? new Map(), kind)),
  );
  // The names of the others vary, such as those of addresses.
  const kinds = new Set([...objects].map(kindOf).filter((kind) => !counts.includes(kind)));
  return { fields: new Map(lists), kinds, objects, counts: new Set(counts) };
}

/** Combines what differs for two reasons. */
export function both(one: Varying, other: Varying): Varying {
  const fields = new Map(one.fields);
  for (const [id, paths] of other.fields) fields.set(id, new Set([...(fields.get(id) ?? []), ...paths]));
  return {
    fields,
    kinds: new Set([...one.kinds, ...other.kinds]),
    objects: new Set([...one.objects, ...other.objects]),
    counts: new Set([...one.counts, ...other.counts]),
  };
}

function difference(one: readonly Snapshot[], other: readonly Snapshot[]): Pick<Varying, "fields" | "objects"> {
  const fields = new Map<string, Set<string>>();
  const objects = new Set<string>();
  one.forEach((snapshot, index) => {
    const second = other[index] ?? new Map<string, unknown>();
    for (const id of new Set([...snapshot.keys(), ...second.keys()])) {
      if (!snapshot.has(id) || !second.has(id)) {
        objects.add(id);
        continue;
      }
      const changed = changes(snapshot.get(id), second.get(id));
      if (changed.length === 0) continue;
      const paths = [...changed.map(({ path }) => path), ...mapsWithOtherKeys(changed)];
      fields.set(id, new Set([...(fields.get(id) ?? []), ...paths]));
    }
  });
  return { fields, objects };
}

/** Returns the paths of the maps that have lost keys and got others: their keys vary, such as names with a part of a UID. */
function mapsWithOtherKeys(changed: readonly FieldChange[]): string[] {
  const lost = new Set(changed.filter(({ after }) => after === undefined).map(({ parent }) => parent));
  const got = changed.filter(({ before }) => before === undefined).map(({ parent }) => parent);
  return got.filter((parent) => parent !== "" && lost.has(parent));
}

/** Returns the kind of an object in a snapshot. */
export function kindOf(id: string): string {
  return id.split(" ", 1)[0] as string;
}

/**
 * Finds the objects of a kind that one snapshot has, and another one with fewer of them lacks. Their names vary, so each object of
 * the other one is taken for the most similar one.
 *
 * @param kind - the kind
 * @param more - the snapshot with more objects of the kind
 * @param fewer - the other one
 * @returns the ids of the remaining objects
 */
export function surplus(kind: string, more: Snapshot, fewer: Snapshot): string[] {
  const ofKind = (snapshot: Snapshot): [string, unknown][] => [...snapshot].filter(([id]) => kindOf(id) === kind);
  const left = new Map(ofKind(more));
  const unpaired = new Map(ofKind(fewer));
  const pairs = [...unpaired].flatMap(([id, value]) =>
    [...left].map(([candidate, other]) => ({ id, candidate, distance: changes(value, other).length })),
  );
  pairs.sort((one, other) => one.distance - other.distance);
  for (const { id, candidate } of pairs) {
    if (left.has(candidate) && unpaired.delete(id)) left.delete(candidate);
  }
  return [...left.keys()];
}

/** Returns the number of objects of a kind in a snapshot. */
export function countOf(snapshot: Snapshot, kind: string): number {
  return [...snapshot.keys()].filter((id) => kindOf(id) === kind).length;
}

/** The kinds with a definition. The status of other kinds belongs to the cluster. */
export type CustomKinds = ReadonlySet<string>;

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const droppedMetadata = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "generation",
  "managedFields",
  "deletionGracePeriodSeconds",
  "selfLink",
]);
const droppedAnnotations = new Set([
  touched,
  "deployment.kubernetes.io/revision",
  "deprecated.daemonset.template.generation",
]);
/** Fields of built-in kinds that the server allocates. */
const allocated = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort", "volumeName"]);

/**
 * Takes a snapshot.
 *
 * @param objects - the objects that were written during the run
 * @param custom - the kinds with a definition, as `group/kind`
 * @returns the objects by their names
 */
export function snapshotOf(objects: Iterable<Tracked>, custom: CustomKinds): Snapshot {
  const chosen = [...objects].filter(({ creator, object }) => creator !== "cluster" && object.kind !== "Namespace");
  const names = generatedNames(chosen);
  const snapshot = new Map<string, unknown>();
  const uids = new Set(chosen.map(({ object }) => object.metadata?.uid));
  const entries = chosen.map((tracked) => {
    const { object, group } = tracked;
    const { namespace = "", name = "" } = object.metadata ?? {};
    const shown = names.get(name) ?? name;
    const isCustom = custom.has(`${group}/${object.kind}`);
    const value = normalized(object, isCustom, names, uids);
    return { id: `${object.kind} ${namespace === "" ? shown : `${namespace}/${shown}`}`, value };
  });
  entries.sort(
    (one, other) => compare(one.id, other.id) || compare(JSON.stringify(one.value), JSON.stringify(other.value)),
  );
  for (const { id, value } of entries) {
    let unique = id;
    for (let number = 2; snapshot.has(unique); number++) unique = `${id} (${number})`;
    snapshot.set(unique, value);
  }
  return snapshot;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Maps names that the server generated to their beginnings. */
function generatedNames(objects: readonly Tracked[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { object } of objects) {
    const { generateName, name } = object.metadata ?? {};
    if (generateName && name?.startsWith(generateName)) names.set(name, `${generateName}*`);
  }
  return names;
}

/**
 * Returns an object without what differs by nature: times, UIDs, and what the server sets.
 *
 * @param object - the object
 * @param isCustom - whether its kind has a definition
 */
export function comparable(object: KubernetesObject, isCustom: boolean): Record<string, unknown> {
  return normalized(object, isCustom, new Map(), new Set()) as Record<string, unknown>;
}

function normalized(
  object: KubernetesObject,
  isCustom: boolean,
  names: ReadonlyMap<string, string>,
  uids: ReadonlySet<string | undefined>,
): unknown {
  const { metadata = {}, ...rest } = object as KubernetesObject & { status?: unknown };
  const generation = metadata.generation;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (key === "apiVersion" || key === "kind" || (key === "status" && !isCustom)) continue;
    result[key] = plain(value, names, isCustom, key === "status" ? generation : undefined);
  }
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (droppedMetadata.has(key)) continue;
    if (key === "deletionTimestamp") kept[key] = true;
    else if (key === "name") kept[key] = names.get(value as string) ?? value;
    else if (key === "annotations") {
      const left = Object.entries(value as Record<string, string>).filter(([name]) => !droppedAnnotations.has(name));
      if (left.length > 0) kept[key] = plain(Object.fromEntries(left), names, isCustom, undefined);
    } else if (key === "finalizers") kept[key] = [...(value as string[])].sort();
    else if (key === "ownerReferences") {
      kept[key] = (metadata.ownerReferences ?? [])
        .map(({ kind, name, controller, uid }) => ({
          owner: `${kind} ${names.get(name) ?? name}`,
          ...(controller ? { controller } : {}),
          ...(uids.has(uid) ? {} : { gone: true }),
        }))
        .sort((one, other) => compare(one.owner, other.owner));
    } else kept[key] = plain(value, names, isCustom, undefined);
  }
  result.metadata = kept;
  return result;
}

/** Returns a value without times, UIDs and generated names. */
function plain(
  value: unknown,
  names: ReadonlyMap<string, string>,
  isCustom: boolean,
  generation: number | undefined,
): unknown {
  if (typeof value === "string") {
    if (timePattern.test(value)) return "<time>";
    return names.get(value) ?? value.replace(uuidPattern, "<uid>");
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, names, isCustom, generation));
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (!isCustom && allocated.has(key)) continue;
    if (key === "observedGeneration" && generation !== undefined) {
      result[key] = inner === generation ? "<current>" : "<old>";
    } else
      result[names.get(key) ?? key] = plain(key === "conditions" ? byType(inner) : inner, names, isCustom, generation);
  }
  return result;
}

/** Sorts conditions: several controllers add theirs in any order. */
function byType(conditions: unknown): unknown {
  if (!Array.isArray(conditions) || conditions.some((condition) => typeof condition?.type !== "string"))
    return conditions;
  return [...(conditions as { type: string }[])].sort((one, other) => compare(one.type, other.type));
}
