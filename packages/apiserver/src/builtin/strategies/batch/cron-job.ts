import type { Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { nameWarnings } from "../core/pod/pod-warnings.ts";
import { fieldsOf, isSet, nonNegative, textOf } from "../fields/fields.ts";
import { dropScheduling, jobSpecErrors } from "./job.ts";
import { jobSpecWarnings } from "./job-warnings.ts";
import { isTimeZone, scheduleProblem } from "./schedule.ts";

const policies = ["Allow", "Forbid", "Replace"];

function scheduleErrors(schedule: string, zone: Json | undefined, mayHaveZone: boolean): FieldError[] {
  const path = "spec.schedule";
  if (schedule === "") return [required(path, "")];
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalidValue(path, schedule, problem)];
  if (!schedule.includes("TZ")) return errors;
  if (!mayHaveZone) {
    errors.push(invalidValue(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  } else if (isSet(zone)) {
    errors.push(invalidValue(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
  }
  return errors;
}

function zoneErrors(value: Json | undefined): FieldError[] {
  if (!isSet(value)) return [];
  const zone = textOf(value);
  const refuse = (detail: string): FieldError[] => [invalidValue("spec.timeZone", zone, detail)];
  if (zone === "") return refuse("timeZone must be nil or non-empty string");
  const isPart = (part: string): boolean =>
    part !== "." && part !== ".." && !part.startsWith("-") && /^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (!zone.split("/").every(isPart)) return refuse(`unknown time zone ${zone}`);
  const explicit = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  return [
    ...(zone.toLowerCase() === "local" ? refuse(explicit) : []),
    ...(isTimeZone(zone) ? [] : refuse(`unknown time zone ${zone}`)),
  ];
}

function cronJobErrors(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const before = old === undefined ? undefined : fieldsOf(old.spec);
  const hadZone = textOf(before?.schedule).includes("TZ");
  const job = fieldsOf(fieldsOf(spec.jobTemplate).spec);
  const path = "spec.jobTemplate.spec";
  const policy = textOf(spec.concurrencyPolicy);
  const errors = [
    ...scheduleErrors(textOf(spec.schedule), spec.timeZone, hadZone),
    ...nonNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
    ...(before === undefined || before.timeZone !== spec.timeZone ? zoneErrors(spec.timeZone) : []),
  ];
  if (policy === "") errors.push(required("spec.concurrencyPolicy", ""));
  else if (!policies.includes(policy)) errors.push(notSupported("spec.concurrencyPolicy", policy, policies));
  errors.push(...jobSpecErrors(job, path));
  if (isSet(job.selector)) {
    errors.push(invalidValue(`${path}.selector`, job.selector, "`selector` will be auto-generated"));
  }
  if (job.manualSelector === true) errors.push(notSupported(`${path}.manualSelector`, true, ["nil", "false"]));
  return [
    ...errors,
    ...nonNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
    ...nonNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
  ];
}

function jobWarnings(object: ApiObject): string[] {
  return jobSpecWarnings(fieldsOf(fieldsOf(fieldsOf(object.spec).jobTemplate).spec), "spec.jobTemplate.spec");
}

function zoneWarnings(object: ApiObject): string[] {
  if (!textOf(fieldsOf(object.spec).schedule).includes("TZ")) return [];
  const page = "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/";
  return [`cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see ${page} for more details`];
}

function dropJobScheduling(object: ApiObject): void {
  dropScheduling(fieldsOf(fieldsOf(fieldsOf(object.spec).jobTemplate).spec));
}

/** The rules of CronJobs. */
export const cronJob: Strategy = {
  prepareForCreate: dropJobScheduling,
  prepareForUpdate: dropJobScheduling,
  validate(object) {
    const name = object.metadata.name ?? "";
    // The names of Jobs end with the time, which has eleven characters.
    const long = name.length > 52 ? [invalidValue("metadata.name", name, "must be no more than 52 characters")] : [];
    return [...cronJobErrors(object), ...long];
  },
  validateUpdate: (object, old, { subresource }) => (subresource === "status" ? [] : cronJobErrors(object, old)),
  warningsOnCreate: (object) => [...nameWarnings(object.metadata.name), ...jobWarnings(object)],
  warningsOnUpdate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const isChanged = object.metadata.generation !== old.metadata.generation;
    return [...(isChanged ? jobWarnings(object) : []), ...zoneWarnings(object)];
  },
};
