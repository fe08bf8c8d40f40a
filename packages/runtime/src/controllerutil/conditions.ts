import { systemClock } from "../clock/clock.ts";

/** An aspect of an object's state, as meta/v1 defines it. */
export interface StatusCondition {
  /** Type in CamelCase, such as `Available`, which is unique in a list. */
  type: string;
  /** Status of the condition. */
  status: "True" | "False" | "Unknown";
  /** Machine-readable reason in CamelCase. */
  reason: string;
  /** Human-readable message, which can be empty. */
  message: string;
  /** Time when `status` last changed, in RFC 3339 format. */
  lastTransitionTime: string;
  /** `metadata.generation` for which the condition was computed. */
  observedGeneration?: number;
}

/** A condition to set. The time of its last transition is computed by default. */
export type NewCondition = Omit<StatusCondition, "lastTransitionTime" | "message"> & {
  message?: string;
  lastTransitionTime?: string;
};

/** An entry of `status.conditions`. Types of users may be wider than {@link StatusCondition}. */
export interface ConditionLike {
  /** Type of the condition, such as `Ready`. */
  type: string;
  /** `True`, `False` or `Unknown`. */
  status: string;
  /** Reason of the last transition, in CamelCase. */
  reason?: string;
  /** Details for people. */
  message?: string;
  /** Date and time of the last change of `status`, in RFC 3339. */
  lastTransitionTime?: string;
  /** The `metadata.generation` that the condition is about. */
  observedGeneration?: unknown;
}

/** A list of conditions, or an object whose status has one. */
export type ConditionsHolder = readonly ConditionLike[] | { status?: { conditions?: readonly ConditionLike[] } };

/**
 * Sets a condition in `status.conditions` of an object, or in a list of conditions. `lastTransitionTime` changes only
 * if `status` does. It changes the argument in memory; write it with {@link patchStatus}, for example.
 *
 * @param holder - the object or list to change
 * @param condition - the condition
 * @param now - time of a transition, the current time by default
 * @returns whether anything changed
 *
 * @example
 * setStatusCondition(game, { type: "Ready", status: "True", reason: "Deployed" });
 */
export function setStatusCondition(
  holder: ConditionsHolder,
  condition: NewCondition,
  now: Date = systemClock.date(),
): boolean {
  const conditions = listToChange(holder);
  const wanted: ConditionLike = { message: "", ...condition };
  const existing = conditions.find(({ type }) => type === condition.type);
  const time = condition.lastTransitionTime ?? `${now.toISOString().slice(0, 19)}Z`;
  if (!existing) {
    conditions.push({ ...wanted, lastTransitionTime: time });
    return true;
  }
  const transition = existing.status === wanted.status ? existing.lastTransitionTime : time;
  const fields = ["status", "reason", "message"] as const;
  const generation = wanted.observedGeneration ?? existing.observedGeneration;
  const isSame =
    fields.every((field) => existing[field] === wanted[field]) && existing.observedGeneration === generation;
  if (isSame) return false;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  Object.assign(existing, wanted, observed, { lastTransitionTime: transition ?? time });
  return true;
}

/**
 * Removes a condition from an object or list in memory.
 *
 * @param holder - the object or list to change
 * @param type - the type of the condition
 * @returns whether the condition existed
 */
export function removeStatusCondition(holder: ConditionsHolder, type: string): boolean {
  const conditions = listToChange(holder);
  const index = conditions.findIndex((condition) => condition.type === type);
  if (index < 0) return false;
  conditions.splice(index, 1);
  return true;
}

/**
 * Returns the condition of a type.
 *
 * @param holder - the object or list
 * @param type - the type of the condition
 * @returns the condition, or `undefined`
 */
export function findStatusCondition<C extends ConditionLike>(
  holder: readonly C[] | { status?: { conditions?: readonly C[] } } | undefined,
  type: string,
): C | undefined {
  const conditions = isList(holder) ? holder : holder?.status?.conditions;
  return (conditions as readonly C[] | undefined)?.find((condition) => condition.type === type);
}

/**
 * Returns whether a condition exists and is `True`.
 *
 * @param holder - the object or list
 * @param type - the type of the condition
 * @returns whether it is `True`
 */
export function isStatusConditionTrue(holder: ConditionsHolder | undefined, type: string): boolean {
  return findStatusCondition(holder, type)?.status === "True";
}

/**
 * Returns whether a condition exists and is `False`.
 *
 * @param holder - the object or list
 * @param type - the type of the condition
 * @returns whether it is `False`
 */
export function isStatusConditionFalse(holder: ConditionsHolder | undefined, type: string): boolean {
  return findStatusCondition(holder, type)?.status === "False";
}

function isList(holder: unknown): holder is readonly ConditionLike[] {
  return Array.isArray(holder);
}

function listToChange(holder: ConditionsHolder): ConditionLike[] {
  if (isList(holder)) return holder as ConditionLike[];
  holder.status ??= {};
  holder.status.conditions ??= [];
  return holder.status.conditions as ConditionLike[];
}
