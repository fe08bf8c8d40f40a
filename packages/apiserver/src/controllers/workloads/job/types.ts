import type { JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../../model/resource.ts";
import { type Condition, conditionOf, type Pod, type PodTemplate, type Selector, timeOf } from "../common/objects.ts";

/** The status of a Job. */
export interface JobStatus extends JsonObject {
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  ready?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: JsonObject & { succeeded?: string[]; failed?: string[] };
  conditions?: Condition[];
}

/** A rule about failed Pods. */
export interface FailureRule extends JsonObject {
  action: string;
  onExitCodes?: JsonObject & { containerName?: string; operator: string; values: number[] };
  onPodConditions?: (JsonObject & { type: string; status: string })[];
}

/** A Job. */
export interface Job extends ApiObject {
  spec: JsonObject & {
    parallelism?: number;
    completions?: number;
    completionMode?: string;
    backoffLimit?: number;
    backoffLimitPerIndex?: number;
    maxFailedIndexes?: number;
    activeDeadlineSeconds?: number;
    ttlSecondsAfterFinished?: number;
    suspend?: boolean;
    managedBy?: string;
    podReplacementPolicy?: string;
    selector?: Selector;
    template: PodTemplate;
    podFailurePolicy?: JsonObject & { rules: FailureRule[] };
    successPolicy?: JsonObject & { rules: (JsonObject & { succeededIndexes?: string; succeededCount?: number })[] };
  };
  status?: JobStatus;
}

/** The finalizer of Pods that aren't counted yet. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
/** The label and annotation with the index of a Pod. */
export const indexKey = "batch.kubernetes.io/job-completion-index";
/** The annotation with the number of failures of an index. */
export const failureCountKey = "batch.kubernetes.io/job-index-failure-count";
/** The annotation with the number of failures of an index that don't count. */
export const ignoredCountKey = "batch.kubernetes.io/job-index-ignored-failure-count";

/** Returns the condition that a Job has finished with. */
export function finishedCondition({ status }: Job): Condition | undefined {
  return [conditionOf(status, "Complete"), conditionOf(status, "Failed")].find(
    (condition) => condition?.status === "True",
  );
}

/** Returns true if each Pod has an index. */
export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/** Returns true if Pods are replaced only once they have failed. */
export function waitsForFailure({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed";
}

/** Returns the index of a Pod; -1 without one. */
export function indexOf({ metadata }: Pod): number {
  const text = metadata.annotations?.[indexKey] ?? "";
  return /^\d+$/.test(text) ? Number(text) : -1;
}

/** Returns true if a Pod counts as failed. */
export function isFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === "Failed") return true;
  if (waitsForFailure(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== "Succeeded";
}

/** Returns true if a Pod isn't counted yet. */
export function isTracked({ metadata }: Pod): boolean {
  return (metadata.finalizers ?? []).includes(trackingFinalizer);
}

/** Returns when a Pod ended, in milliseconds. */
export function finishedAt({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => timeOf(state.terminated?.finishedAt));
  if (ends.length > 0 && ends.every((end) => end > 0)) return Math.max(...ends);
  const ready = conditionOf(status, "Ready");
  if (ready?.status === "False") return timeOf(ready.lastTransitionTime);
  return timeOf(metadata.deletionTimestamp ?? metadata.creationTimestamp);
}

/** Returns the number in an annotation of a Pod; 0 without one. */
export function countOf({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? "";
  return /^\d+$/.test(text) ? Number(text) : 0;
}
