import type { PlannedChange, PlanResult } from "@kubewright/runtime/dev";

/** A plan, as `scaffold plan --json` prints it. */
export interface PlanDocument extends Omit<PlanResult, "reconciles" | "unchanged"> {
  readonly format: 1;
  readonly context: string;
  readonly server: string;
  readonly user: string;
  readonly writes: "server" | "local";
  /** Whether nothing failed. */
  readonly complete: boolean;
  readonly summary: {
    readonly create: number;
    readonly update: number;
    readonly delete: number;
    readonly unchanged: number;
    readonly external: number;
    readonly reconciles: number;
    readonly durationMs: number;
  };
}

/** The cluster that a plan describes. */
export type PlannedCluster = Pick<PlanDocument, "context" | "server" | "user" | "writes">;

/**
 * Creates the document of a plan.
 *
 * @param cluster - the cluster
 * @param result - what the controllers would do
 * @param durationMs - how long that took, in milliseconds
 */
export function planDocument(cluster: PlannedCluster, result: PlanResult, durationMs: number): PlanDocument {
  const { changes, external, failed, later, skipped, notes, reconciles, unchanged } = result;
  const count = (action: PlannedChange["action"]): number =>
    changes.filter((change) => change.action === action).length;
  const byObject = <T extends { readonly object: PlannedChange | { kind: string; namespace: string; name: string } }>(
    entries: readonly T[],
  ): T[] => entries.toSorted(({ object: one }, { object: other }) => compare(keyOf(one), keyOf(other)));
  return {
    format: 1,
    ...cluster,
    complete: failed.length === 0,
    summary: {
      create: count("create"),
      update: count("update"),
      delete: count("delete"),
      unchanged,
      external: external.length,
      reconciles,
      durationMs,
    },
    changes,
    external: byObject(external),
    failed: byObject(failed),
    later: byObject(later),
    skipped,
    notes,
  };
}

function keyOf({ kind, namespace, name }: { kind: string; namespace: string; name: string }): string {
  return [kind, namespace, name].join("\0");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
