import type { JsonObject } from "@kubewright/cel/json";
import { type Condition, conditionOf, type ReplicaSet, timeOf } from "../common/objects.ts";
import { limitsOf } from "./revisions.ts";
import type { Deployment, DeploymentStatus } from "./types.ts";

const endless = 2 ** 31 - 1;

/** The reason of the condition Progressing after a rollout. */
export const finished = "NewReplicaSetAvailable";
/** The reason of the condition Progressing after the deadline. */
export const timedOut = "ProgressDeadlineExceeded";

/** Returns true if the Deployment reports its progress. */
export function hasDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== endless;
}

/** Returns the sum of the replicas that the specifications of ReplicaSets ask for. */
export function specReplicas(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0);
}

/** Returns the sum of a count in the statuses of ReplicaSets. */
export function countReplicas(
  sets: readonly ReplicaSet[],
  field: "replicas" | "readyReplicas" | "availableReplicas",
): number {
  return sets.reduce((sum, { status }) => sum + (status?.[field] ?? 0), 0);
}

/** Sets a condition. One with the same status and reason stays as it is. */
export function setCondition(
  status: DeploymentStatus,
  time: string,
  type: string,
  value: string,
  reason: string,
  message: string,
): void {
  const present = conditionOf(status, type);
  if (present?.status === value && present.reason === reason) return;
  const since = present?.status === value ? present.lastTransitionTime : time;
  removeCondition(status, type);
  status.conditions = [
    ...(status.conditions ?? []),
    { type, status: value, lastUpdateTime: time, lastTransitionTime: since ?? time, reason, message },
  ];
}

/** Removes a condition. */
export function removeCondition(status: DeploymentStatus, type: string): void {
  const rest = (status.conditions ?? []).filter((condition) => condition.type !== type);
  if (rest.length > 0) status.conditions = rest;
  else delete status.conditions;
}

/** Returns true if all replicas are of the current template and available, and no others exist. */
export function isComplete({ metadata, spec }: Deployment, status: DeploymentStatus): boolean {
  const replicas = spec.replicas ?? 1;
  return (
    (status.updatedReplicas ?? 0) === replicas &&
    (status.replicas ?? 0) === replicas &&
    (status.availableReplicas ?? 0) === replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

/**
 * Computes the status without the condition Progressing.
 *
 * @param deployment - the Deployment
 * @param current - the ReplicaSet of its template
 * @param old - its other ReplicaSets
 * @param time - the time for conditions
 * @returns the new status
 */
export function statusOf(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  time: string,
): DeploymentStatus {
  const { metadata, spec, status = {} } = deployment;
  const all = current === undefined ? old : [...old, current];
  const available = countReplicas(all, "availableReplicas");
  const counts: JsonObject = {
    observedGeneration: metadata.generation ?? 0,
    replicas: countReplicas(all, "replicas"),
    updatedReplicas: current === undefined ? 0 : countReplicas([current], "replicas"),
    readyReplicas: countReplicas(all, "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, specReplicas(all) - available),
  };
  const next: DeploymentStatus = {};
  for (const [key, value] of Object.entries(counts)) if (value !== 0) next[key] = value;
  const terminating = terminatingOf(all);
  if (terminating !== undefined) next.terminatingReplicas = terminating;
  if (status.conditions !== undefined)
    next.conditions = status.conditions.map((condition): Condition => ({ ...condition }));
  if (status.collisionCount !== undefined) next.collisionCount = status.collisionCount;
  if (available >= (spec.replicas ?? 1) - limitsOf(deployment).unavailable) {
    const message = "Deployment has minimum availability.";
    setCondition(next, time, "Available", "True", "MinimumReplicasAvailable", message);
  } else {
    const message = "Deployment does not have minimum availability.";
    setCondition(next, time, "Available", "False", "MinimumReplicasUnavailable", message);
  }
  return next;
}

/** Undefined if a ReplicaSet doesn't report how many of its Pods are being deleted. */
function terminatingOf(sets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const { status = {} } of sets) {
    if (status.terminatingReplicas === undefined && (status.observedGeneration ?? 0) !== 0) return undefined;
    sum += status.terminatingReplicas ?? 0;
  }
  return sum;
}

/**
 * Computes the status with the condition Progressing.
 *
 * @param deployment - the Deployment
 * @param current - the ReplicaSet of its template
 * @param old - its other ReplicaSets
 * @param time - the time for conditions
 * @param now - the same time in milliseconds
 * @returns the new status
 */
export function rolloutStatusOf(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  time: string,
  now: number,
): DeploymentStatus {
  const next = statusOf(deployment, current, old, time);
  const before = deployment.status ?? {};
  const progressing = conditionOf(before, "Progressing");
  if (!hasDeadline(deployment)) removeCondition(next, "Progressing");
  const isDone = next.replicas === next.updatedReplicas && progressing?.reason === finished;
  const subject =
    current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  if (hasDeadline(deployment) && !isDone) {
    if (isComplete(deployment, next)) {
      setCondition(next, time, "Progressing", "True", finished, `${subject} has successfully progressed.`);
    } else if (isProgress(before, next)) {
      removeCondition(next, "Progressing");
      setCondition(next, time, "Progressing", "True", "ReplicaSetUpdated", `${subject} is progressing.`);
      const set = conditionOf(next, "Progressing") as Condition;
      if (progressing?.status === "True") set.lastTransitionTime = progressing.lastTransitionTime ?? time;
    } else if (isLate(deployment, next, now)) {
      setCondition(next, time, "Progressing", "False", timedOut, `${subject} has timed out progressing.`);
    }
  }
  const failure = [...(current === undefined ? [] : [current]), ...old]
    .map(({ status }) => conditionOf(status, "ReplicaFailure"))
    .find((condition) => condition !== undefined);
  if (failure === undefined) removeCondition(next, "ReplicaFailure");
  else {
    const { status, reason = "", message = "", lastTransitionTime } = failure;
    setCondition(next, lastTransitionTime ?? time, "ReplicaFailure", status, reason, message);
  }
  return next;
}

function isProgress(before: DeploymentStatus, next: DeploymentStatus): boolean {
  const count = (status: DeploymentStatus, field: string): number => (status[field] ?? 0) as number;
  const outdated = (status: DeploymentStatus): number => count(status, "replicas") - count(status, "updatedReplicas");
  return (
    count(next, "updatedReplicas") > count(before, "updatedReplicas") ||
    outdated(next) < outdated(before) ||
    count(next, "readyReplicas") > count(before, "readyReplicas") ||
    count(next, "availableReplicas") > count(before, "availableReplicas")
  );
}

function isLate({ spec }: Deployment, status: DeploymentStatus, now: number): boolean {
  const condition = conditionOf(status, "Progressing");
  if (condition === undefined || condition.reason === finished) return false;
  if (condition.reason === timedOut) return true;
  return timeOf(condition.lastUpdateTime) + (spec.progressDeadlineSeconds ?? 0) * 1000 < now;
}

/**
 * Returns when the deadline of a rollout must be checked.
 *
 * @param deployment - the Deployment with its new status
 * @param now - the time in milliseconds
 * @returns milliseconds from now; undefined if nothing is to be checked
 */
export function untilDeadline(deployment: Deployment, now: number): number | undefined {
  const { spec, status = {} } = deployment;
  const condition = conditionOf(status, "Progressing");
  if (!hasDeadline(deployment) || condition === undefined) return undefined;
  if (isComplete(deployment, status) || condition.reason === timedOut) return undefined;
  const end = timeOf(condition.lastUpdateTime) + (spec.progressDeadlineSeconds ?? 0) * 1000;
  // Times of conditions are exact to the second.
  return Math.max(0, end - now) + 1000;
}
