import { getControllerOf, type Stored, setControllerReference } from "@kubewright/runtime";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { CronJob } from "#api/v1/index.ts";

/** Annotation with the scheduled time of a Job. The status of a CronJob can be rebuilt from it. */
export const scheduledAtAnnotation = "batch.tutorial.kubebuilder.io/scheduled-at";

// #region index
/** Name of the index that finds the Jobs of a CronJob. */
export const jobOwnerField = ".metadata.controller";

/** Returns the index key of a Job: the uid of its CronJob. A CronJob that is created again has the same name, but another uid. */
export function jobOwner(job: Job): string[] {
  const owner = getControllerOf(job);
  return owner?.apiVersion === CronJob.apiVersion && owner.kind === CronJob.kind ? [owner.uid] : [];
}
// #endregion index

/** Jobs of a CronJob by their result, each list with the oldest first. */
export interface Jobs {
  active: Stored<Job>[];
  succeeded: Stored<Job>[];
  failed: Stored<Job>[];
}

// #region sort
/** Groups Jobs by their result. A Job has finished if its condition Complete or Failed is true. */
export function sortJobs(jobs: readonly Stored<Job>[]): Jobs {
  const sorted: Jobs = { active: [], succeeded: [], failed: [] };
  for (const job of jobs.toSorted(byAge)) {
    const isTrue = (type: string) =>
      job.status?.conditions?.some((each) => each.type === type && each.status === "True");
    if (isTrue("Complete")) sorted.succeeded.push(job);
    else if (isTrue("Failed")) sorted.failed.push(job);
    else sorted.active.push(job);
  }
  return sorted;
}
// #endregion sort

function byAge(a: Stored<Job>, b: Stored<Job>): number {
  return startOf(a) - startOf(b) || a.metadata.name.localeCompare(b.metadata.name);
}

function startOf({ metadata, status }: Stored<Job>): number {
  return Date.parse(status?.startTime ?? metadata.creationTimestamp ?? "") || 0;
}

/** Returns the latest scheduled time of the Jobs. */
export function latestScheduledAt(jobs: readonly Job[]): Date | undefined {
  const times = jobs.map(({ metadata }) => Date.parse(metadata?.annotations?.[scheduledAtAnnotation] ?? ""));
  const latest = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return Number.isFinite(latest) ? new Date(latest) : undefined;
}

// #region job
/** Returns the Job of a run. */
export function jobFor(cronJob: Stored<CronJob>, run: Date): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const job: Job = {
    apiVersion: Job.apiVersion,
    kind: Job.kind,
    metadata: {
      // The same run always has the same name, so the API server rejects a second Job for it.
      name: `${cronJob.metadata.name}-${run.getTime() / 1000}`,
      namespace: cronJob.metadata.namespace,
      // The CRD keeps metadata of templates only if generated with crd:generateEmbeddedObjectMeta=true.
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations, [scheduledAtAnnotation]: timestamp(run) },
    },
    spec,
  };
  // The owner reference makes Kubernetes delete the Job with the CronJob, and its changes trigger a reconcile of the CronJob.
  setControllerReference(cronJob, job);
  return job;
}
// #endregion job

/** Formats a time as Kubernetes does: in whole seconds. */
export function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
