import type { KubernetesObject } from "../api/index.ts";
import { systemClock } from "../clock/clock.ts";
import { type ConditionLike, removeStatusCondition, setStatusCondition } from "../controllerutil/conditions.ts";
import { computeStatus } from "./compute-status.ts";

/** Why an object has its state. */
export interface ReadinessReason {
  /** Machine-readable reason in CamelCase, such as `Deploying`. */
  reason: string;
  /** Description for people. The default is empty. */
  message?: string;
}

/** An object whose status can have conditions and an observed generation. */
export interface StatusHolder {
  /** Metadata of the object as it was read. */
  metadata?: {
    /** Number of the version of the spec. */
    generation?: number;
  };
  /** Status, which is created if it is missing. */
  status?: {
    /** Conditions. Those of other types stay. */
    conditions?: readonly ConditionLike[];
    /** The generation that the status is about. */
    observedGeneration?: number;
  };
}

/**
 * Reports in an object's status that the desired state is reached: condition Ready `True`, without Reconciling and Stalled. It
 * changes the argument in memory; write it with {@link patchStatus}.
 *
 * @param object - the object to change
 * @param why - reason and message
 * @param now - time of transitions, the current time by default
 * @returns whether anything changed
 *
 * @example
 * await patchStatus(client, game, (copy) => {
 *   setReady(copy, { reason: "Reconciled" });
 * });
 */
export function setReady(object: StatusHolder, why: ReadinessReason, now: Date = systemClock.date()): boolean {
  return setConditions(object, { Ready: "True" }, why, now);
}

/**
 * Reports in an object's status that the controller is working: conditions Reconciling `True` and Ready `False`, without
 * Stalled. It changes the argument in memory; write it with {@link patchStatus}.
 *
 * @param object - the object to change
 * @param why - reason and message
 * @param now - time of transitions, the current time by default
 * @returns whether anything changed
 */
export function setReconciling(object: StatusHolder, why: ReadinessReason, now: Date = systemClock.date()): boolean {
  return setConditions(object, { Reconciling: "True", Ready: "False" }, why, now);
}

/**
 * Reports in an object's status that a person has to act: conditions Stalled `True` and Ready `False`, without Reconciling.
 * Helm and Flux then stop to wait. It changes the argument in memory; write it with {@link patchStatus}.
 *
 * @param object - the object to change
 * @param why - reason and message
 * @param now - time of transitions, the current time by default
 * @returns whether anything changed
 */
export function setStalled(object: StatusHolder, why: ReadinessReason, now: Date = systemClock.date()): boolean {
  return setConditions(object, { Stalled: "True", Ready: "False" }, why, now);
}

/**
 * Reports in an object's status what its worst child requires: Stalled if a child failed, Reconciling if one is missing or not
 * ready, otherwise Ready. It changes the argument in memory; write it with {@link patchStatus}.
 *
 * @param object - the object to change
 * @param children - the children as they are stored; `undefined` for a missing child
 * @param now - time of transitions and for {@link computeStatus}, the current time by default
 * @returns whether anything changed
 */
export function setStatusFromChildren(
  object: StatusHolder,
  children: readonly (KubernetesObject | undefined)[],
  now: Date = systemClock.date(),
): boolean {
  const states = children.map((child) => ({ child, state: child && computeStatus(child, now) }));
  const describe = ({ child, state }: (typeof states)[number]) =>
    `${child?.kind} ${child?.metadata?.name}: ${state?.message === "" ? state.reason || state.status : state?.message}`;
  const broken = states.find(({ state }) => state?.status === "Failed");
  if (broken) return setStalled(object, { reason: "ChildFailed", message: describe(broken) }, now);
  const missing = states.filter(({ child }) => child === undefined).length;
  if (missing > 0) {
    const message = `${missing} of ${children.length} children ${missing === 1 ? "doesn't" : "don't"} exist yet`;
    return setReconciling(object, { reason: "ChildMissing", message }, now);
  }
  const busy = states.find(({ state }) => state?.status !== "Current");
  if (busy) return setReconciling(object, { reason: "ChildInProgress", message: describe(busy) }, now);
  return setReady(object, { reason: "ChildrenReady" }, now);
}

/** The conditions that only exist while they are true. */
const exceptional = ["Reconciling", "Stalled"] as const;

function setConditions(
  object: StatusHolder,
  wanted: Partial<Record<"Ready" | (typeof exceptional)[number], "True" | "False">>,
  { reason, message = "" }: ReadinessReason,
  now: Date,
): boolean {
  const generation = object.metadata?.generation;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  object.status ??= {};
  let changed = false;
  for (const type of exceptional) {
    if (wanted[type] === undefined && removeStatusCondition(object, type)) changed = true;
  }
  for (const [type, status] of Object.entries(wanted)) {
    if (setStatusCondition(object, { type, status, reason, message, ...observed }, now)) changed = true;
  }
  if (generation !== undefined && object.status.observedGeneration !== generation) {
    object.status.observedGeneration = generation;
    changed = true;
  }
  return changed;
}
