import type { Stored } from "@kubewright/runtime";
import type { CronJob } from "../../api/v1/index.ts";
import { Schedule } from "../schedule/schedule.ts";

/** What a CronJob's schedule says at a moment. */
export interface Runs {
  /** The run that has come and was not started yet. */
  due?: Date;
  /** It came so long ago that it mustn't start any more. */
  tooLate?: boolean;
  /** When the next one comes. */
  next?: Date;
  /** Why the schedule says nothing. */
  problem?: string;
}

/**
 * Finds out which run is due. Of several that were missed, while the operator was down, say, only the latest counts: nobody
 * wants a night's worth of Jobs at once.
 *
 * @param last when the latest run that was started was due
 */
export function runsOf({ metadata, spec }: Stored<CronJob>, last: Date | undefined, now: Date): Runs {
  let schedule: Schedule;
  try {
    schedule = new Schedule(spec.schedule);
  } catch (error) {
    // The webhooks refuse it, but they may not always have been there. Trying again makes it no better: a change of it will.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const next = schedule.next(now);
  const due = schedule.latest(now);
  // Before it was made a CronJob has missed nothing.
  const since = last ?? new Date(metadata.creationTimestamp ?? now);
  if (!due || due <= since) return { next };
  const lateSeconds = (now.getTime() - due.getTime()) / 1000;
  return { due, tooLate: lateSeconds > (spec.startingDeadlineSeconds ?? Number.POSITIVE_INFINITY), next };
}
