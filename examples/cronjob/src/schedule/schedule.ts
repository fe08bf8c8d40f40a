import { Cron } from "croner";

/**
 * The times at which a CronJob's runs are due, in UTC: what a schedule means must not depend on the time zone of the node that
 * the operator happens to run on.
 *
 * @example
 * new Schedule("30 4 * * MON").next(new Date()); // the coming Monday at 4:30
 */
export class Schedule {
  private readonly cron: Cron;

  /** Throws an `Error` with the reason if `text` doesn't have five fields, isn't valid, or is never due. */
  constructor(text: string) {
    // The library also accepts dates, seconds, and names such as @hourly. Only five fields can be converted to v2.
    if (text.trim().split(/\s+/).length !== 5) {
      throw new Error(
        'a schedule has five fields, minute, hour, day of month, month and day of week, as in "*/5 * * * *"',
      );
    }
    try {
      this.cron = new Cron(text, { mode: "5-part", utcOffset: 0, paused: true });
    } catch (error) {
      throw new Error(error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error), {
        cause: error,
      });
    }
    if (!this.cron.nextRun()) throw new Error("there is no such day in any year");
  }

  /** Returns the first run after a time. */
  next(after: Date): Date | undefined {
    return this.cron.nextRun(after) ?? undefined;
  }

  /** Returns the last run at or before a time. */
  latest(until: Date): Date | undefined {
    // The library returns runs before a time, so ask for those before the next millisecond.
    return this.cron.previousRuns(1, new Date(until.getTime() + 1))[0];
  }
}
