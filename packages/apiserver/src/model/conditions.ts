import { equalJson, isObject, type JsonObject } from "@kubewright/cel/json";

/** A condition without its time. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  /** The generation of the object that the condition is about, if conditions of its kind have it. */
  observedGeneration?: number;
}

/**
 * Sets a condition of an object, in place. The time of its last transition changes with its status.
 *
 * @param object - the object
 * @param condition - the condition
 * @param now - the current time, for example `2026-01-02T03:04:05Z`
 * @returns true if the object changed
 */
export function setCondition(object: JsonObject, condition: Condition, now: string): boolean {
  const status = isObject(object.status) ? object.status : {};
  object.status = status;
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  status.conditions = conditions;
  const { type, status: value, reason, message, observedGeneration } = condition;
  const index = conditions.findIndex((one) => isObject(one) && one.type === type);
  const old = index === -1 ? undefined : (conditions[index] as JsonObject);
  const lastTransitionTime = old !== undefined && old.status === value ? (old.lastTransitionTime ?? now) : now;
  const next: JsonObject = {
    type,
    status: value,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime,
    reason,
    message,
  };
  if (old !== undefined && equalJson(old, next)) return false;
  if (old === undefined) conditions.push(next);
  else conditions[index] = next;
  return true;
}
