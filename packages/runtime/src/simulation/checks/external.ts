import type { External, World } from "../world/world.ts";
import type { Snapshot, Varying } from "./snapshot.ts";

/** Begins the names of collections in snapshots. No kind has such a name. */
const prefix = "external ";

/**
 * Returns the collections of external systems with the number of their items, as parts of a snapshot. Their items aren't
 * compared: ids, times and counters differ by nature.
 *
 * @param systems - the external system of the options, and those with names
 */
export function collectionsOf({ external, externals }: Pick<World, "external" | "externals">): Snapshot {
  const collections = new Map<string, unknown>();
  const add = (system: External, at: string): void => {
    for (const [name, value] of Object.entries(system)) {
      const items = sizeOf(value);
      if (items !== undefined) collections.set(`${prefix}${at}${name}`, { items });
    }
  };
  add(external, "");
  for (const [name, system] of Object.entries(externals)) add(system, `${name}.`);
  return collections;
}

function sizeOf(value: unknown): number | undefined {
  if (value instanceof Map || value instanceof Set) return value.size;
  if (Array.isArray(value)) return value.length;
  return undefined;
}

/**
 * Splits a snapshot.
 *
 * @param snapshot - the snapshot
 * @returns the objects of the server, and the collections of the external system
 */
export function split(snapshot: Snapshot): { objects: Snapshot; collections: Snapshot } {
  const entries = [...snapshot];
  return {
    objects: new Map(entries.filter(([id]) => !id.startsWith(prefix))),
    collections: new Map(entries.filter(([id]) => id.startsWith(prefix))),
  };
}

/**
 * Adds the collections that aren't comparable to what varies. A collection is comparable if the run without faults ends with as
 * many items as it began with, so that its items are the external objects of users' objects. Others, such as logs of calls,
 * depend on the number of attempts.
 *
 * @param varying - what varies
 * @param initial - the collections at the start
 * @param snapshots - the snapshots of a run without faults
 */
export function withoutLogs(varying: Varying, initial: Snapshot, snapshots: readonly Snapshot[]): Varying {
  const objects = new Set(varying.objects);
  const last = snapshots.at(-1) ?? new Map<string, unknown>();
  for (const id of new Set([...initial.keys(), ...snapshots.flatMap((snapshot) => [...snapshot.keys()])])) {
    if (!id.startsWith(prefix)) continue;
    if (JSON.stringify(initial.get(id)) !== JSON.stringify(last.get(id))) objects.add(id);
  }
  return { ...varying, objects };
}
