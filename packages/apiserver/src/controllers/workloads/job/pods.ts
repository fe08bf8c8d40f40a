import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import { type Container, type Pod, timeOf } from "../common/objects.ts";
import { isReady, podFromTemplate } from "../common/pods.ts";
import { judge } from "./policies.ts";
import {
  countOf,
  failureCountKey,
  ignoredCountKey,
  indexKey,
  indexOf,
  isIndexed,
  type Job,
  trackingFinalizer,
} from "./types.ts";

const longestPrefix = 58;
const indexVariable = "JOB_COMPLETION_INDEX";

/**
 * Creates a Pod of a Job, without writing it.
 *
 * @param job - the Job
 * @param index - its index; undefined for Jobs without indexes
 * @param replaced - the failed Pod of the same index
 * @returns the Pod
 */
export function newJobPod(job: Job, index: number | undefined, replaced: Pod | undefined): Pod {
  const template = cloneJson(job.spec.template);
  const pod = podFromTemplate(template, job);
  const { metadata, spec } = pod;
  const name = job.metadata.name as string;
  const uid = job.metadata.uid as string;
  // The API server sets these labels for new Jobs.
  metadata.labels ??= { "batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": name };
  metadata.finalizers = [
    ...(metadata.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer),
    trackingFinalizer,
  ];
  if (index === undefined) return pod;
  const suffix = `-${index}-`;
  metadata.generateName = `${name.slice(0, longestPrefix - suffix.length)}${suffix}`;
  metadata.labels = { ...metadata.labels, [indexKey]: String(index) };
  metadata.annotations = { ...metadata.annotations, [indexKey]: String(index) };
  spec.hostname = `${name}-${index}`;
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) addIndexVariable(container);
  if (job.spec.backoffLimitPerIndex !== undefined) addFailureCounts(job, metadata.annotations, replaced);
  return pod;
}

function addIndexVariable(container: Container): void {
  const variables = (container.env ?? []) as JsonObject[];
  if (variables.some(({ name }) => name === indexVariable)) return;
  const fieldRef = { fieldPath: `metadata.labels['${indexKey}']` };
  container.env = [...variables, { name: indexVariable, valueFrom: { fieldRef } }];
}

function addFailureCounts(job: Job, annotations: { [key: string]: string }, replaced: Pod | undefined): void {
  let failures = 0;
  let ignored = 0;
  if (replaced !== undefined) {
    failures = countOf(replaced, failureCountKey);
    ignored = countOf(replaced, ignoredCountKey);
    if (judge(job, replaced).counts) failures++;
    else ignored++;
  }
  annotations[failureCountKey] = String(failures);
  if (ignored > 0) annotations[ignoredCountKey] = String(ignored);
}

/**
 * Chooses the active Pods that a Job removes: those with an index too many, then those that work least.
 *
 * @param job - the Job
 * @param active - its active Pods
 * @param count - how many to remove at least
 * @returns the Pods
 */
export function surplusPods(job: Job, active: readonly Pod[], count: number): Pod[] {
  const sorted = [...active].sort(byUsefulness);
  const removed: Pod[] = [];
  if (isIndexed(job)) {
    const kept = new Set<number>();
    for (const pod of [...sorted].reverse()) {
      const index = indexOf(pod);
      if (index < 0 || index >= (job.spec.completions ?? 0) || kept.has(index)) removed.push(pod);
      else kept.add(index);
    }
  }
  const rest = sorted.filter((pod) => !removed.includes(pod));
  return [...removed, ...rest.slice(0, Math.max(0, count - removed.length))];
}

function byUsefulness(a: Pod, b: Pod): number {
  const phases = ["Pending", "Unknown", "Running"];
  return (
    Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName)) ||
    phases.indexOf(a.status?.phase ?? "") - phases.indexOf(b.status?.phase ?? "") ||
    Number(isReady(a)) - Number(isReady(b)) ||
    timeOf(b.metadata.creationTimestamp) - timeOf(a.metadata.creationTimestamp)
  );
}
