import type { ReconcileRecord, ReconcileStep } from "@kubewright/dashboard/protocol";

/** Noon on this computer. */
export const time = new Date(2026, 0, 1, 12).toISOString();

/** Returns the record of a reconcile. Without `steps`, it first reads, then calls, writes and logs. */
export function recordOf(changes: Partial<ReconcileRecord>): ReconcileRecord {
  const { reads = [], calls = [], writes = [], logs = [] } = changes;
  const steps = Object.entries({ read: reads, call: calls, write: writes, log: logs }).flatMap(([step, all]) =>
    all.map(() => step as ReconcileStep),
  );
  return {
    ...{ id: "1", controller: "game", object: { kind: "Game", namespace: "default", name: "chess" } },
    ...{ time, durationMs: 3, reasons: [], reads, calls, writes, logs, steps },
    ...{ result: { requeueAfter: 0 }, error: null, pid: 1 },
    ...changes,
  };
}
