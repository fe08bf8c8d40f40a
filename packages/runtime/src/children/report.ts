import type { KubernetesObject } from "../api/index.ts";
import type { Stored } from "../client/client.ts";
import { isInvalid } from "../errors/predicates.ts";
import { isTransportError } from "../errors/transport-error.ts";
import { computeStatus } from "../kstatus/compute-status.ts";
import type { StatusResult } from "../kstatus/result.ts";
import { type StatusHolder, setReady, setReconciling, setStalled } from "../kstatus/set-status.ts";
import { errorText } from "../log/error-text.ts";
import { TerminalError } from "../reconcile/terminal-error.ts";
import type { Entry } from "./declaration.ts";
import type { Outcome } from "./outcome.ts";
import type { ChildAction } from "./types.ts";

const appliedActions: ReadonlySet<ChildAction> = new Set(["created", "configured", "unchanged", "recreated"]);

/** Whether the wanted fields of a child are applied. */
export function isApplied({ action }: Outcome): boolean {
  return appliedActions.has(action);
}

/** The readiness of a child. */
export interface Readiness {
  /** Whether it is ready for those that depend on it. */
  readonly ready: boolean;
  /** Whether it lets its owner be ready: also a Job that is running. */
  readonly settled: boolean;
  readonly failed: boolean;
  readonly message: string;
}

/** Returns whether an object is ready. */
export function readinessOf(entry: Entry | undefined, object: Stored<KubernetesObject>, now: Date): Readiness {
  if (entry?.ready) {
    try {
      const ready = entry.ready(object);
      return { ready, settled: ready, failed: false, message: ready ? "" : "it isn't ready" };
    } catch (error) {
      return { ready: false, settled: false, failed: false, message: `ready(…) failed: ${errorText(error)}` };
    }
  }
  const status = computeStatus(object, now);
  const settled = status.status === "Current";
  const ready = settled && isComplete(object);
  return { ready, settled, failed: status.status === "Failed", message: settled ? "" : messageOf(status) };
}

function messageOf({ status, reason, message }: StatusResult): string {
  return message || reason || status;
}

/** Whether an object isn't a Job that is running, which has the status `Current`. */
function isComplete(object: KubernetesObject): boolean {
  if (object.kind !== "Job" || object.apiVersion !== "batch/v1") return true;
  const { status } = object as { status?: { conditions?: readonly { type: string; status: string }[] } };
  return status?.conditions?.some(({ type, status: value }) => type === "Complete" && value === "True") ?? false;
}

/** An outcome and the readiness of its object. */
export interface Reported extends Outcome {
  readonly readiness: Readiness | undefined;
}

type Set = "stalled" | "reconciling";

/** The reasons of conditions, the worst first. */
const reasons: readonly (readonly [reason: string, set: Set, applies: (child: Reported) => boolean])[] = [
  ["ChildBlocked", "stalled", ({ action }) => action === "blocked"],
  ["ChildInvalid", "stalled", ({ action, error }) => action === "failed" && isInvalid(error)],
  ["ChildFailed", "stalled", (child) => isApplied(child) && child.readiness?.failed === true],
  ["ChildApplyFailed", "reconciling", ({ action, isPrune }) => action === "failed" && !isPrune],
  ["ChildPruneFailed", "reconciling", ({ action, isPrune }) => action === "failed" && isPrune === true],
  ["ChildMissing", "reconciling", ({ action, object }) => action === "waiting" && object === undefined],
  ["ChildWaiting", "reconciling", ({ action }) => action === "waiting" || action === "contested"],
  ["ChildInProgress", "reconciling", (child) => isApplied(child) && child.readiness?.settled === false],
];

/** Whether nothing is left to do: all children are applied and ready, and no others exist. */
export function isReady(children: readonly Reported[]): boolean {
  return !reasons.some(([, , applies]) => children.some(applies));
}

/** Sets the conditions of an object by its worst child. Returns whether anything changed. */
export function setStatus(copy: StatusHolder, children: readonly Reported[], now: Date): boolean {
  for (const [reason, set, applies] of reasons) {
    const affected = children.filter(applies);
    if (affected.length === 0) continue;
    const why = { reason, message: describe(affected) };
    return set === "stalled" ? setStalled(copy, why, now) : setReconciling(copy, why, now);
  }
  return setReady(copy, { reason: "ChildrenReady" }, now);
}

/** Describes at most three children. */
function describe(children: readonly Reported[]): string {
  const texts = children.slice(0, 3).map(describeChild);
  return children.length > 3 ? `${texts.join("; ")}; and ${children.length - 3} more` : texts.join("; ");
}

/** Returns text such as `Deployment sample: 0 of 1 updated`. */
export function describeChild({ kind, name, message, readiness }: Reported): string {
  return `${kind} ${name}: ${message ?? readiness?.message ?? ""}`;
}

/** Throws if any child has failed. */
export function throwIfFailed(owner: string, children: readonly Reported[]): void {
  const failed = children.filter(({ action }) => action === "failed");
  if (failed.length === 0) return;
  const message = `${failed.length} of ${children.length} children of ${owner} failed: ${describe(failed)}`;
  const errors = failed.map(({ error }) => error);
  // The controller detects both in the chain of causes.
  const cause = errors.every(isInvalid)
    ? new TerminalError(message)
    : errors.every(isTransportError)
      ? errors[0]
      : undefined;
  throw new AggregateError(errors, message, cause === undefined ? {} : { cause });
}
