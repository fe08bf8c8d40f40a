/** One aspect of an object's state, as meta/v1 has it. */
export interface StatusCondition {
  /** In CamelCase, such as `Available`; unique in a list. */
  type: string;
  status: "True" | "False" | "Unknown";
  /** Why, for programs: in CamelCase. */
  reason: string;
  /** Why, for people; may be empty. */
  message: string;
  /** When `status` changed last: RFC 3339. */
  lastTransitionTime: string;
  /** The `metadata.generation` that it was found for. */
  observedGeneration?: number;
}

/** A condition to set: the time of its last transition is found out. */
export type NewCondition = Omit<StatusCondition, "lastTransitionTime" | "message"> & {
  message?: string;
  lastTransitionTime?: string;
};

/** What may stand in a `status.conditions`: types of users may be wider than {@link StatusCondition}. */
interface ConditionLike {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: unknown;
}

/** A list of conditions, or an object that has one in its status. */
export type ConditionsHolder = readonly ConditionLike[] | { status?: { conditions?: readonly ConditionLike[] } };

/**
 * Sets a condition in an object's `status.conditions`, or in a list of conditions; tells whether anything changed. The time of
 * the last transition moves only when `status` does.
 *
 * @example
 * setStatusCondition(game, { type: "Ready", status: "True", reason: "Deployed" });
 */
export function setStatusCondition(holder: ConditionsHolder, condition: NewCondition, now: Date = new Date()): boolean {
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

/** Takes a condition away; tells whether it was there. */
export function removeStatusCondition(holder: ConditionsHolder, type: string): boolean {
  const conditions = listToChange(holder);
  const index = conditions.findIndex((condition) => condition.type === type);
  if (index < 0) return false;
  conditions.splice(index, 1);
  return true;
}

/** The condition of a type. */
export function findStatusCondition<C extends ConditionLike>(
  holder: readonly C[] | { status?: { conditions?: readonly C[] } } | undefined,
  type: string,
): C | undefined {
  const conditions = isList(holder) ? holder : holder?.status?.conditions;
  return (conditions as readonly C[] | undefined)?.find((condition) => condition.type === type);
}

/** Whether a condition is there and `True`. */
export function isStatusConditionTrue(holder: ConditionsHolder | undefined, type: string): boolean {
  return findStatusCondition(holder, type)?.status === "True";
}

/** Whether a condition is there and `False`. */
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
