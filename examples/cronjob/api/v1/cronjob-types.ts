import type { Int32, Int64, KubernetesList, KubernetesObject, Time } from "@kubewright/runtime/api";
import type { JobTemplateSpec } from "@kubewright/runtime/api/batch/v1";
import type { ObjectReference } from "@kubewright/runtime/api/core/v1";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

// #region policy
/** How to treat a run that is due while Jobs of earlier runs are still active. */
export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";
// #endregion policy

// #region spec
/** CronJobSpec defines which Job to start, and when. */
export interface CronJobSpec {
  /** schedule has the five fields of cron: minute, hour, day of month, month and day of week, in UTC. */
  // +kubebuilder:validation:MinLength=0
  schedule: string;

  /** startingDeadlineSeconds is the time in which a run must start. A run that can't start by then is skipped. */
  // +kubebuilder:validation:Minimum=0
  startingDeadlineSeconds?: Int64;

  /**
   * concurrencyPolicy specifies how to treat a run that is due while Jobs of earlier runs are still active:
   * - "Allow" (default): run them concurrently;
   * - "Forbid": start the new run after they have finished;
   * - "Replace": delete them and start the new run.
   */
  // +kubebuilder:default:=Allow
  concurrencyPolicy?: ConcurrencyPolicy;

  /** suspend stops new runs from starting. It doesn't affect started Jobs. */
  suspend?: boolean;

  /** jobTemplate is the template of the Job that each run starts. */
  jobTemplate: JobTemplateSpec;

  /** successfulJobsHistoryLimit is the number of successful Jobs to keep. If unset, all are kept. */
  // +kubebuilder:validation:Minimum=0
  successfulJobsHistoryLimit?: Int32;

  /** failedJobsHistoryLimit is the number of failed Jobs to keep. If unset, all are kept. */
  // +kubebuilder:validation:Minimum=0
  failedJobsHistoryLimit?: Int32;
}
// #endregion spec

// #region status
/** CronJobStatus defines the observed state of CronJob. */
export interface CronJobStatus {
  /** active lists the active Jobs, at most the ten oldest. */
  // +listType=atomic
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems=10
  active?: ObjectReference[];

  /** lastScheduleTime is the scheduled time of the latest run that was started. */
  lastScheduleTime?: Time;

  /** conditions represent the current state: Available (runs are started), Progressing (Jobs are active), Degraded (runs failed or were missed). */
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}
// #endregion status

// #region kind
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** CronJob is the Schema for the cronjobs API */
export interface CronJob extends KubernetesObject {
  /** spec defines the desired state of CronJob */
  spec: CronJobSpec;

  /** status defines the observed state of CronJob */
  status?: CronJobStatus;
}

/** CronJobList contains a list of CronJob */
export type CronJobList = KubernetesList<CronJob>;

export const CronJob = GroupVersion.kind<CronJob>("CronJob");
// #endregion kind
