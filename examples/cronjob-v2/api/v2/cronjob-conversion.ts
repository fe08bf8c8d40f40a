import type { SpokeConverter } from "@kubewright/runtime";
import type { CronJob as Hub } from "../v1/cronjob-types.ts";
import { CronJob, type CronSchedule } from "./cronjob-types.ts";

// #region spoke
/** Converts a CronJob between v2 and v1, the hub. A conversion in both directions must not lose data. */
export const spoke: SpokeConverter<Hub, CronJob> = {
  kind: CronJob,

  // Except for the schedule, both versions have the same fields. If they differ, this doesn't compile.
  // Server-side apply also converts parts of objects, which can lack the schedule or the whole spec.
  toHub(obj) {
    return { ...obj, spec: { ...obj.spec, schedule: scheduleText(obj.spec?.schedule ?? {}) } };
  },

  fromHub(hub) {
    return { ...hub, spec: { ...hub.spec, schedule: scheduleFields(hub.spec?.schedule ?? "* * * * *") } };
  },
};
// #endregion spoke

// #region schedule
/** The fields in the order of a cron expression. */
export const fieldNames = ["minute", "hour", "dayOfMonth", "month", "dayOfWeek"] as const;

/** Returns a schedule in the format of v1: five fields separated by spaces. */
export function scheduleText(schedule: CronSchedule): string {
  return fieldNames.map((name) => schedule[name] ?? "*").join(" ");
}

/** Returns a schedule in the format of v2. Throws an `Error` if `text` doesn't have five fields, because v2 can't represent it. */
export function scheduleFields(text: string): CronSchedule {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== fieldNames.length)
    throw new Error(`spec.schedule: ${JSON.stringify(text)} must have five fields`);
  const named = fieldNames.map((name, index) => [name, fields[index]] as const);
  return Object.fromEntries(named.filter(([, field]) => field !== "*"));
}
// #endregion schedule
