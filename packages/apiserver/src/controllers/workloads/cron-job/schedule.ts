import { parseDuration } from "@kubewright/cel/duration";
import { Cron } from "croner";

/** Computes the times of a schedule, in milliseconds. */
export interface Schedule {
  /** Returns the first time after the given one; undefined if there is none. */
  next(after: number): number | undefined;
}

/**
 * Parses the schedule of a CronJob.
 *
 * @param text - five fields, a name such as `@daily`, or `@every 1h`; a time zone such as `TZ=UTC` may stand in front
 * @param timeZone - the time zone of the CronJob
 * @returns the schedule
 * @throws Error if it can't be parsed
 */
export function parseSchedule(text: string, timeZone = "UTC"): Schedule {
  const prefix = /^(?:CRON_)?TZ=(\S+)\s+/.exec(text);
  const rest = prefix === null ? text : text.slice(prefix[0].length);
  const every = /^@every\s+(\S+)$/.exec(rest);
  if (every !== null) {
    const seconds = Math.max(1, Math.floor(Number(parseDuration(every[1] as string)) / 1e9));
    return { next: (after) => (Math.floor(after / 1000) + seconds) * 1000 };
  }
  const pattern = rest === "@midnight" ? "@daily" : rest.replaceAll("?", "*");
  if (!pattern.startsWith("@") && pattern.trim().split(/\s+/).length !== 5) {
    const count = pattern.trim().split(/\s+/).filter(Boolean).length;
    throw new Error(`expected exactly 5 fields, found ${count}: [${rest}]`);
  }
  const cron = new Cron(pattern, { timezone: prefix?.[1] ?? timeZone, paused: true });
  return { next: (after) => cron.nextRun(new Date(after))?.getTime() };
}

/** The times of a schedule that have passed. */
export interface PastTimes {
  /** The time from which on they are missed. */
  earliest: number;
  /** The last one; undefined if there is none. */
  recent: number | undefined;
  missed: "none" | "few" | "many";
}

/**
 * Finds the last time of a schedule that has passed.
 *
 * @param schedule - the schedule
 * @param earliest - earlier times don't count
 * @param now - the time
 * @returns the last time and how many are missed
 * @throws Error if there is less than a second between two times
 */
export function pastTimes(schedule: Schedule, earliest: number, now: number): PastTimes {
  const first = schedule.next(earliest);
  if (first === undefined || now < first) return { earliest, recent: undefined, missed: "none" };
  const second = schedule.next(first);
  if (second === undefined || now < second) return { earliest, recent: first, missed: "none" };
  const interval = Math.round((second - first) / 1000);
  if (interval < 1) throw new Error("time difference between two schedules is less than 1 second");
  const count = Math.floor(Math.floor((now - first) / 1000) / interval) + 1;
  let recent: number | undefined;
  // The first interval is a guess of the others: the search begins shortly before the present.
  let time = schedule.next(first + (count - 2) * interval * 1000);
  while (time !== undefined && time <= now) {
    recent = time;
    time = schedule.next(time);
  }
  return { earliest, recent, missed: count > 100 ? "many" : "few" };
}

/** Returns true if the time zone is known. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns a time in RFC 3339 with the offset of a time zone. */
export function zonedTime(time: number, timeZone = "UTC"): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(time);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value.slice("GMT".length) || "Z";
  if (offset === "Z" || offset === "+00:00") return `${new Date(time).toISOString().slice(0, 19)}Z`;
  const [, sign, hours, minutes] = /^([+-])(\d+):(\d+)/.exec(offset) as unknown as [string, string, string, string];
  const shift = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return `${new Date(time + shift).toISOString().slice(0, 19)}${offset}`;
}
