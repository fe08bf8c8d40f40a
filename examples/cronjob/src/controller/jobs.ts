import { getControllerOf, type Stored, setControllerReference } from "@kubewright/runtime";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { CronJob } from "../../api/v1/index.ts";

/** A Job carries the time at which its run was due. The status of a CronJob can be found out again from its Jobs alone. */
export const scheduledAtAnnotation = "batch.tutorial.kubebuilder.io/scheduled-at";

// #region index
/** The index by which the Jobs of a CronJob are found, without a look at all others. */
export const jobOwnerField = ".metadata.controller";

/** What a Job is found under: the uid of its CronJob. Names come back when a CronJob is made anew, uids don't. */
export function jobOwner(job: Job): string[] {
  const owner = getControllerOf(job);
  return owner?.apiVersion === CronJob.apiVersion && owner.kind === CronJob.kind ? [owner.uid] : [];
}
// #endregion index

/** A CronJob's Jobs by what became of them, each list with the oldest first. */
export interface Jobs {
  active: Stored<Job>[];
  succeeded: Stored<Job>[];
  failed: Stored<Job>[];
}

// #region sort
/** Sorts Jobs by what became of them: one has ended when the condition Complete or Failed is true. */
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

/** The latest time at which a run was due that has a Job. */
export function latestScheduledAt(jobs: readonly Job[]): Date | undefined {
  const times = jobs.map(({ metadata }) => Date.parse(metadata?.annotations?.[scheduledAtAnnotation] ?? ""));
  const latest = Math.max(...times.filter((time) => !Number.isNaN(time)));
  return Number.isFinite(latest) ? new Date(latest) : undefined;
}

// #region job
/** The Job of a run. */
export function jobFor(cronJob: Stored<CronJob>, run: Date): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const job: Job = {
    apiVersion: Job.apiVersion,
    kind: Job.kind,
    metadata: {
      // The same run always has the same name: the API server won't let it be started twice.
      name: `${cronJob.metadata.name}-${run.getTime() / 1000}`,
      namespace: cronJob.metadata.namespace,
      // Whether a template may have these the CRD says: with crd:generateEmbeddedObjectMeta=true.
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations, [scheduledAtAnnotation]: timestamp(run) },
    },
    spec,
  };
  // The garbage collector deletes it with the CronJob, and what becomes of it leads to a reconcile.
  setControllerReference(cronJob, job);
  return job;
}
// #endregion job

/** A time as Kubernetes writes it: in whole seconds. */
export function timestamp(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
