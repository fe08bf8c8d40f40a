/** The name of a kind of fault. */
export type FaultName =
  | "stale"
  | "crash"
  | "replicas"
  | "conflict"
  | "lost"
  | "errors"
  | "watch"
  | "recreate"
  | "time"
  | "hands"
  | "children"
  | "gc"
  | "rescale"
  | "skew";

/** The kinds of faults that a simulation injects. */
export const faultNames: readonly FaultName[] = [
  "stale",
  "crash",
  "replicas",
  "conflict",
  "lost",
  "errors",
  "watch",
  "recreate",
  "time",
  "hands",
  "children",
  "gc",
  "rescale",
  "skew",
];

/** The faults that happen only if replicas share the objects. */
export const shardFaults: ReadonlySet<FaultName> = new Set(["rescale", "skew"]);

/**
 * Checks the names of faults.
 *
 * @param names - the names
 * @returns the names
 * @throws Error for an unknown one
 */
export function checkedFaults(names: readonly string[]): FaultName[] {
  for (const name of names) {
    if ((faultNames as readonly string[]).includes(name)) continue;
    throw new Error(`fault ${JSON.stringify(name)}: must be one of ${faultNames.join(", ")}`);
  }
  return [...new Set(names as FaultName[])];
}

/** Counts of faults before any has happened. */
export function noFaults(): Record<FaultName, number> {
  return Object.fromEntries(faultNames.map((name) => [name, 0])) as Record<FaultName, number>;
}
