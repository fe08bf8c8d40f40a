import type { Int32, Int64, KubernetesList, KubernetesObject, Time } from "@kubewright/runtime/api";
import type { JobTemplateSpec } from "@kubewright/runtime/api/batch/v1";
import type { ObjectReference } from "@kubewright/runtime/api/core/v1";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

// #region policy
/** What happens when a run is due while Jobs of earlier runs are still at work. */
export type ConcurrencyPolicy = "Allow" | "Forbid" | "Replace";
// #endregion policy

// #region spec
/** CronJobSpec says which Job to start, and when. */
export interface CronJobSpec {
  /** schedule has the five fields of cron: minute, hour, day of month, month and day of week. Times are UTC. */
  // +kubebuilder:validation:MinLength=0
  schedule: string;

  /** startingDeadlineSeconds is how late a run may start. One that couldn't start until then is left out. */
  // +kubebuilder:validation:Minimum=0
  startingDeadlineSeconds?: Int64;

  /**
   * concurrencyPolicy says what happens when a run is due while Jobs of earlier runs are still at work:
   * - "Allow" (default): they run side by side;
   * - "Forbid": the new run waits until they have ended;
   * - "Replace": they are deleted, and the new run takes their place.
   */
  // +kubebuilder:default:=Allow
  concurrencyPolicy?: ConcurrencyPolicy;

  /** suspend keeps further runs from starting. Jobs that were started go on. */
  suspend?: boolean;

  /** jobTemplate is the Job that each run starts. */
  jobTemplate: JobTemplateSpec;

  /** successfulJobsHistoryLimit is how many Jobs that succeeded are kept. Without it all of them are. */
  // +kubebuilder:validation:Minimum=0
  successfulJobsHistoryLimit?: Int32;

  /** failedJobsHistoryLimit is how many Jobs that failed are kept. Without it all of them are. */
  // +kubebuilder:validation:Minimum=0
  failedJobsHistoryLimit?: Int32;
}
// #endregion spec

// #region status
/** CronJobStatus says what became of the runs. */
export interface CronJobStatus {
  /** active has the Jobs that are at work, the oldest ten of them. */
  // +listType=atomic
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems=10
  active?: ObjectReference[];

  /** lastScheduleTime is when the latest run that was started was due. */
  lastScheduleTime?: Time;

  /** conditions say whether runs are started (Available), whether Jobs are at work (Progressing), and what went wrong (Degraded). */
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
