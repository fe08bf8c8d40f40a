import { type Condition, conditionOf, type Pod, timeOf } from "../common/objects.ts";
import { isActive, isReady, isTerminating } from "../common/pods.ts";
import { IndexSet } from "./indexes.ts";
import { failsIndex, judge, successOf } from "./policies.ts";
import {
  countOf,
  failureCountKey,
  finishedAt,
  ignoredCountKey,
  indexOf,
  isFailed,
  isIndexed,
  isTracked,
  type Job,
  type JobStatus,
  waitsForFailure,
} from "./types.ts";

const firstBackOff = 10_000;
const longestBackOff = 600_000;

/** The failures since the last success of a Job. */
export interface BackOff {
  failures: number;
  last: number;
}

/** The state of a Job, as its Pods show it. */
export interface JobSync {
  job: Job;
  status: JobStatus;
  pods: Pod[];
  active: Pod[];
  ready: number;
  terminating: number;
  succeeded: number;
  failed: number;
  backOff: BackOff;
  /** The indexes that have succeeded, with and without the Pods that aren't counted yet. */
  succeededIndexes: IndexSet;
  earlierIndexes: IndexSet;
  failedIndexes: IndexSet | undefined;
  /** The failed Pods that stay until their index is tried again. */
  delayed: Map<number, Pod>;
}

/**
 * Evaluates the Pods of a Job.
 *
 * @param job - the Job
 * @param status - a copy of its status
 * @param pods - its Pods
 * @param backOff - the failures so far
 * @returns the state
 */
export function evaluate(job: Job, status: JobStatus, pods: Pod[], backOff: BackOff): JobSync {
  const { uncountedTerminatedPods: uncounted = {} } = status;
  const active = pods.filter(isActive);
  const completions = job.spec.completions ?? 0;
  const isNew = (pod: Pod, counted: readonly string[] = []): boolean => {
    if (!isTracked(pod) || counted.includes(pod.metadata.uid as string)) return false;
    return !isIndexed(job) || (indexOf(pod) >= 0 && indexOf(pod) < completions);
  };
  const succeeded = pods.filter((pod) => pod.status?.phase === "Succeeded" && isNew(pod, uncounted.succeeded));
  const failed = pods.filter((pod) => isFailed(pod, job) && isNew(pod, uncounted.failed));
  const counted = failed.filter((pod) => judge(job, pod).counts);
  const sync: JobSync = {
    job,
    status,
    pods,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: (status.succeeded ?? 0) + succeeded.length + (uncounted.succeeded?.length ?? 0),
    failed: (status.failed ?? 0) + counted.length + (uncounted.failed?.length ?? 0),
    backOff: nextBackOff(backOff, succeeded, failed),
    succeededIndexes: IndexSet.empty,
    earlierIndexes: IndexSet.empty,
    failedIndexes: undefined,
    delayed: new Map(),
  };
  if (isIndexed(job)) evaluateIndexes(sync, completions);
  return sync;
}

function evaluateIndexes(sync: JobSync, completions: number): void {
  const { job, status, pods } = sync;
  const valid = pods.filter((pod) => isTracked(pod) && indexOf(pod) >= 0 && indexOf(pod) < completions);
  sync.earlierIndexes = IndexSet.parse(status.completedIndexes, completions);
  const done = valid.filter((pod) => pod.status?.phase === "Succeeded").map(indexOf);
  sync.succeededIndexes = sync.earlierIndexes.with(done);
  sync.succeeded = sync.succeededIndexes.size;
  if (job.spec.backoffLimitPerIndex === undefined) return;
  const failing = valid.filter((pod) => failsIndex(job, pod)).map(indexOf);
  sync.failedIndexes = IndexSet.parse(status.failedIndexes, completions).with(failing);
  const active = new Set(sync.active.map(indexOf));
  for (const pod of valid) {
    const index = indexOf(pod);
    if (!isFailed(pod, job)) continue;
    if (sync.succeededIndexes.has(index) || sync.failedIndexes.has(index) || active.has(index)) continue;
    const other = sync.delayed.get(index);
    if (other === undefined || (tries(other) <= tries(pod) && finishedAt(pod) >= finishedAt(other))) {
      sync.delayed.set(index, pod);
    }
  }
}

/** How often the index of a Pod failed before it. */
function tries(pod: Pod): number {
  return countOf(pod, failureCountKey) + countOf(pod, ignoredCountKey);
}

function nextBackOff(before: BackOff, succeeded: readonly Pod[], failed: readonly Pod[]): BackOff {
  const ends = failed.map(finishedAt);
  if (succeeded.length === 0) {
    return ends.length === 0 ? before : { failures: before.failures + ends.length, last: Math.max(...ends) };
  }
  const success = Math.max(...succeeded.map(finishedAt));
  const later = ends.filter((end) => end > success);
  return { failures: later.length, last: Math.max(0, ...later) };
}

/** Returns how long a Job must wait after a number of failures, in milliseconds from now. */
export function waitAfter({ failures, last }: BackOff, now: number): number {
  if (failures === 0) return 0;
  const wait = Math.min(longestBackOff, firstBackOff * 2 ** (failures - 1));
  return Math.max(0, last + wait - now);
}

/** Returns how long an index must wait after the failure of its last Pod. */
export function waitOfIndex(pod: Pod | undefined, now: number): number {
  return pod === undefined ? 0 : waitAfter({ failures: tries(pod) + 1, last: finishedAt(pod) }, now);
}

/** Returns a condition of a Job. */
export function jobCondition(type: string, status: string, reason: string, message: string, time: string): Condition {
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/**
 * Finds out whether a Job is to end, apart from reaching its completions.
 *
 * @param sync - the state of the Job
 * @param now - the time in milliseconds
 * @param time - the same time for conditions
 * @returns `SuccessCriteriaMet`, `FailureTarget` or `Failed`; undefined to continue
 */
export function endOf(sync: JobSync, now: number, time: string): Condition | undefined {
  const { job, status, pods, succeededIndexes, failedIndexes } = sync;
  const { spec } = job;
  const met = conditionOf(status, "SuccessCriteriaMet");
  if (met?.status === "True") return met;
  const target = conditionOf(status, "FailureTarget");
  if (target?.status === "True") {
    return jobCondition("Failed", "True", target.reason ?? "", target.message ?? "", time);
  }
  const fail = (reason: string, message: string): Condition =>
    jobCondition("FailureTarget", "True", reason, message, time);
  for (const pod of pods) {
    const failure = isFailed(pod, job) ? judge(job, pod).failure : undefined;
    if (failure !== undefined) return fail("PodFailurePolicy", failure);
  }
  if (sync.failed > (spec.backoffLimit ?? 6) || restartedTooOften(sync)) {
    return fail("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (untilDeadline(sync, now) === 0) {
    return fail("DeadlineExceeded", "Job was active longer than specified deadline");
  }
  if (failedIndexes !== undefined) {
    const completions = spec.completions ?? 0;
    if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
      const message = "Job has exceeded the specified maximal number of failed indexes";
      return fail("MaxFailedIndexesExceeded", message);
    }
    if (failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= completions) {
      return fail("FailedIndexes", "Job has failed indexes");
    }
  }
  const success = isIndexed(job) ? successOf(job, succeededIndexes) : undefined;
  return success === undefined ? undefined : jobCondition("SuccessCriteriaMet", "True", "SuccessPolicy", success, time);
}

function restartedTooOften({ job, pods }: JobSync): boolean {
  const { backoffLimit = 6, template } = job.spec;
  if (template.spec.restartPolicy !== "OnFailure") return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== "Running" && status?.phase !== "Pending") continue;
    for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
      restarts += container.restartCount;
    }
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/** Returns when the deadline of a Job is; undefined without one. */
export function untilDeadline({ job, status }: JobSync, now: number): number | undefined {
  const { activeDeadlineSeconds, suspend } = job.spec;
  if (activeDeadlineSeconds === undefined || status.startTime === undefined || suspend === true) return undefined;
  return Math.max(0, timeOf(status.startTime) + activeDeadlineSeconds * 1000 - now);
}

/** Returns how many Pods a Job is to run. */
export function wantedPods({ job, active, succeeded }: JobSync): number {
  const { parallelism = 1, completions } = job.spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Returns the first indexes that have no Pod and haven't ended. */
export function pendingIndexes(sync: JobSync, count: number): number[] {
  const { job, pods, active, succeededIndexes, failedIndexes } = sync;
  const taken = new Set(active.map(indexOf));
  if (waitsForFailure(job)) for (const pod of pods.filter(isTerminating)) taken.add(indexOf(pod));
  const indexes: number[] = [];
  for (let index = 0; indexes.length < count; ) {
    const next = succeededIndexes.absentFrom(failedIndexes?.absentFrom(index) ?? index);
    if (next >= (job.spec.completions ?? 0)) break;
    if (next === index) {
      if (!taken.has(index)) indexes.push(index);
      index++;
    } else index = next;
  }
  return indexes;
}
