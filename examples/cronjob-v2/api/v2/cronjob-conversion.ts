import type { SpokeConverter } from "@kubewright/runtime";
import type { CronJob as Hub } from "../v1/cronjob-types.ts";
import { CronJob, type CronSchedule } from "./cronjob-types.ts";

// #region spoke
/** How a CronJob of v2 becomes one of v1, the hub, and back. Nothing may get lost on the way there and back. */
export const spoke: SpokeConverter<Hub, CronJob> = {
  kind: CronJob,

  // All but the schedule has the same names and types in both versions: the compiler tells where that ends.
  toHub(obj) {
    return { ...obj, spec: { ...obj.spec, schedule: scheduleText(obj.spec.schedule) } };
  },

  fromHub(hub) {
    return { ...hub, spec: { ...hub.spec, schedule: scheduleFields(hub.spec.schedule) } };
  },
};
// #endregion spoke

// #region schedule
/** The fields in the order in which cron writes them. */
export const fieldNames = ["minute", "hour", "dayOfMonth", "month", "dayOfWeek"] as const;

/** A schedule as v1 has it: the five fields with blanks between them. */
export function scheduleText(schedule: CronSchedule): string {
  return fieldNames.map((name) => schedule[name] ?? "*").join(" ");
}

/** A schedule as v2 has it. Throws an `Error` where `text` hasn't five fields: v2 has no other way to say it. */
export function scheduleFields(text: string): CronSchedule {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== fieldNames.length) throw new Error(`spec.schedule: ${JSON.stringify(text)} hasn't five fields`);
  const named = fieldNames.map((name, index) => [name, fields[index]] as const);
  return Object.fromEntries(named.filter(([, field]) => field !== "*"));
}
// #endregion schedule
