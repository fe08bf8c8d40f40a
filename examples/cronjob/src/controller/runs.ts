import type { Stored } from "@kubewright/runtime";
import type { CronJob } from "#api/v1/index.ts";
import { Schedule } from "../schedule/schedule.ts";

/** The runs of a CronJob as of a given time. */
export interface Runs {
  /** Time of the run that is due and wasn't started yet. */
  due?: Date;
  /** Whether its starting deadline has passed. */
  tooLate?: boolean;
  /** Time of the next run. */
  next?: Date;
  /** The reason why the schedule isn't valid. */
  problem?: string;
}

/**
 * Finds the run that is due. If several runs were missed, for example while the operator was down, only the latest one is
 * due, so that the operator doesn't start hundreds of Jobs.
 *
 * @param last scheduled time of the latest run that was started
 */
export function runsOf({ metadata, spec }: Stored<CronJob>, last: Date | undefined, now: Date): Runs {
  let schedule: Schedule;
  try {
    schedule = new Schedule(spec.schedule);
  } catch (error) {
    // The object may be older than the webhooks. Retrying doesn't help: the user must change the schedule.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const next = schedule.next(now);
  const due = schedule.latest(now);
  // Runs before the CronJob was created aren't missed runs.
  const since = last ?? new Date(metadata.creationTimestamp ?? now);
  if (!due || due <= since) return { next };
  const lateSeconds = (now.getTime() - due.getTime()) / 1000;
  return { due, tooLate: lateSeconds > (spec.startingDeadlineSeconds ?? Number.POSITIVE_INFINITY), next };
}
