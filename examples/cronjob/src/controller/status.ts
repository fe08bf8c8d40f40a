import { type NewCondition, type Stored, setStatusCondition } from "@kubewright/runtime";
import type { Job } from "@kubewright/runtime/api/batch/v1";
import type { ObjectReference } from "@kubewright/runtime/api/core/v1";
import type { CronJob } from "#api/v1/index.ts";
import { type Jobs, timestamp } from "./jobs.ts";
import type { Runs } from "./runs.ts";

/** Maximum in the API. */
const mostActive = 10;

/** The observed state that the status of a CronJob reports. */
export interface Observed {
  jobs: Jobs;
  runs: Runs;
  /** Scheduled time of the latest run that was started. */
  last: Date | undefined;
  now: Date;
}

/** Sets the status of a CronJob to the observed state. */
export function setStatus(cronJob: CronJob, { jobs, runs, last, now }: Observed): void {
  const active = jobs.active.slice(0, mostActive).map(referenceTo);
  cronJob.status = {
    conditions: cronJob.status?.conditions ?? [],
    ...(last ? { lastScheduleTime: timestamp(last) } : {}),
    ...(active.length > 0 ? { active } : {}),
  };
  const observedGeneration = cronJob.metadata?.generation;
  for (const condition of [available(cronJob, runs), progressing(jobs), degraded(jobs, runs)]) {
    setStatusCondition(cronJob, { ...condition, observedGeneration }, now);
  }
}

// #region conditions
function available({ spec }: CronJob, { problem }: Runs): NewCondition {
  const type = "Available";
  if (problem) return { type, status: "False", reason: "InvalidSchedule", message: problem };
  if (spec.suspend) return { type, status: "False", reason: "Suspended", message: "no runs are started" };
  return { type, status: "True", reason: "Scheduled", message: "runs are started when they are due" };
}

function progressing({ active }: Jobs): NewCondition {
  const type = "Progressing";
  if (active.length === 0) return { type, status: "False", reason: "NoJobsActive", message: "no Job is active" };
  return { type, status: "True", reason: "JobsActive", message: `active Jobs: ${active.length}` };
}

function degraded({ failed }: Jobs, { due, tooLate }: Runs): NewCondition {
  const type = "Degraded";
  if (due && tooLate) {
    const message = `the run of ${timestamp(due)} couldn't start before its deadline`;
    return { type, status: "True", reason: "MissedSchedule", message };
  }
  if (failed.length > 0) {
    return { type, status: "True", reason: "JobsFailed", message: `failed Jobs: ${failed.length}` };
  }
  return { type, status: "False", reason: "AsExpected", message: "no run was missed, and no Job has failed" };
}
// #endregion conditions

function referenceTo({ apiVersion, kind, metadata: { namespace, name, uid } }: Stored<Job>): ObjectReference {
  return { apiVersion, kind, namespace, name, uid };
}
