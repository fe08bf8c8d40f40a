// The steps of a reconcile, in their order: a part of the protocol, for the dashboard and the terminal.
import type {
  ReconcileCall,
  ReconcileLog,
  ReconcileRead,
  ReconcileRecord,
  ReconcileWrite,
} from "@kubewright/runtime/dev";

/** Something that a reconcile did. */
export type Step =
  | { readonly type: "read"; readonly read: ReconcileRead }
  | { readonly type: "write"; readonly write: ReconcileWrite }
  | { readonly type: "call"; readonly call: ReconcileCall }
  | { readonly type: "log"; readonly log: ReconcileLog };

/** Returns what a reconcile did, in its order. */
export function stepsOf({ reads, writes, calls, logs, steps }: ReconcileRecord): Step[] {
  const left: Readonly<Record<Step["type"], Step[]>> = {
    read: reads.map((read) => ({ type: "read", read })),
    call: calls.map((call) => ({ type: "call", call })),
    write: writes.map((write) => ({ type: "write", write })),
    log: logs.map((log) => ({ type: "log", log })),
  };
  return steps.flatMap((type) => left[type].shift() ?? []);
}

/** Returns how a call ended, such as `201` or its error. */
export function callResult({ status, error }: ReconcileCall): string {
  return error ?? (status === undefined ? "no status" : String(status));
}

/** Whether the action for a child shows that a person may have to act. */
export function isBadChild(action: string): boolean {
  return action === "failed" || action === "blocked" || action === "contested";
}
