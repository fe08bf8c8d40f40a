import { equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, invalidValue, required } from "@kubewright/cel/validation";
import type { ApiObject } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { fieldsOf, isSet, nonNegative, numberOf, objectsOf, textOf, textsOf } from "../fields/fields.ts";
import { countIndexes, firstShared } from "./indexes.ts";

/** Conditions that mean that a Job ended or is about to. */
type Terminal = "Complete" | "Failed" | "FailureTarget" | "SuccessCriteriaMet";

function is(status: JsonObject, type: string, value = "True"): boolean {
  return objectsOf(status.conditions).some((condition) => condition.type === type && condition.status === value);
}

function isFinished(status: JsonObject): boolean {
  return is(status, "Complete") || is(status, "Failed");
}

function before(first: Json, second: Json): boolean {
  return Date.parse(textOf(first)) < Date.parse(textOf(second));
}

function uncountedErrors(pods: Json | undefined): FieldError[] {
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((key) =>
    textsOf(fieldsOf(pods)[key]).flatMap((uid, index) => {
      const at = `status.uncountedTerminatedPods.${key}[${index}]`;
      if (uid === "") return [invalidValue(at, uid, "must not be empty")];
      if (seen.has(uid)) return [duplicateValue(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

/** Rules that apply only if an update changes what they are about, so that other updates stay possible. */
function stateErrors(job: ApiObject, status: JsonObject, old: JsonObject): FieldError[] {
  const spec = fieldsOf(job.spec);
  const errors: FieldError[] = [];
  const changed = (...fields: string[]): boolean =>
    fields.some((field) => !equalJson(status[field] ?? null, old[field] ?? null));
  const turned = (...types: Terminal[]): boolean => types.some((type) => is(status, type) !== is(old, type));
  const [complete, failed, finished] = [is(status, "Complete"), is(status, "Failed"), isFinished(status)];
  const turnedFinished = finished !== isFinished(old);
  const refuse = (detail: string): number =>
    errors.push({ type: "FieldValueInvalid", field: "status.conditions", detail });
  const wrong = (field: string, detail: string): number =>
    errors.push(invalidValue(`status.${field}`, status[field] ?? null, detail));
  if (turned("Complete", "Failed") && complete && failed) {
    refuse("cannot set Complete=True and Failed=true conditions");
  }
  if (turned("Complete", "FailureTarget") && complete && is(status, "FailureTarget")) {
    refuse("cannot set Complete=True and FailureTarget=true conditions");
  }
  if (turned("Complete") || changed("completionTime")) {
    if (isSet(status.completionTime) && !complete) {
      wrong("completionTime", "cannot set completionTime when there is no Complete=True condition");
    }
    if (!isSet(status.completionTime) && complete) {
      errors.push(required("status.completionTime", "completionTime is required for Complete jobs"));
    }
  }
  const { startTime, completionTime } = status;
  if (changed("startTime", "completionTime") && isSet(startTime) && isSet(completionTime)) {
    if (before(completionTime, startTime)) wrong("completionTime", "must be equal to or after `startTime`");
  }
  if ((turned("Failed") || changed("failedIndexes")) && failed && !is(status, "FailureTarget")) {
    refuse("cannot set Failed=True condition without the FailureTarget=true condition");
  }
  if (turned("Complete", "SuccessCriteriaMet") && complete && !is(status, "SuccessCriteriaMet")) {
    refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
  if ((turnedFinished || changed("active")) && finished && numberOf(status.active) > 0) {
    wrong("active", "active>0 is invalid for finished job");
  }
  const neverStarts = spec.suspend === true && spec.completions === 0;
  if ((turnedFinished || changed("startTime")) && !neverStarts && finished && !isSet(startTime)) {
    errors.push(required("status.startTime", "startTime is required for finished job"));
  }
  const uncounted = fieldsOf(status.uncountedTerminatedPods);
  if ((turnedFinished || changed("uncountedTerminatedPods")) && finished) {
    if (textsOf(uncounted.succeeded).length + textsOf(uncounted.failed).length > 0) {
      const shown = internalForm("batch.UncountedTerminatedPods", status.uncountedTerminatedPods);
      errors.push(invalidValue("status.uncountedTerminatedPods", shown, "must be empty for finished job"));
    }
  }
  errors.push(...indexErrors(spec, status, changed));
  if ((turnedFinished || changed("terminating")) && finished && numberOf(status.terminating) > 0) {
    wrong("terminating", "terminating>0 is invalid for finished job");
  }
  if (changed("ready", "active") && isSet(status.ready) && numberOf(status.ready) > numberOf(status.active)) {
    wrong("ready", "cannot set more ready pods than active");
  }
  const met = is(status, "SuccessCriteriaMet");
  if (met && failed) refuse("cannot set SuccessCriteriaMet=True and Failed=true conditions");
  if (met && is(status, "FailureTarget")) {
    refuse("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  if (isSet(spec.successPolicy) && !met && complete) {
    refuse("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }
  return errors;
}

function indexErrors(spec: JsonObject, status: JsonObject, changed: (...fields: string[]) => boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { completedIndexes, failedIndexes } = status;
  const parse = (field: string): void => {
    const { problem } = countIndexes(textOf(status[field]), numberOf(spec.completions));
    if (problem === undefined) return;
    errors.push(invalidValue(`status.${field}`, status[field], `error parsing ${field}: ${problem}`));
  };
  if (changed("completedIndexes") && isSet(spec.completions)) parse("completedIndexes");
  const limited = isSet(spec.backoffLimitPerIndex);
  if (changed("failedIndexes") && isSet(spec.completions) && limited && isSet(failedIndexes)) parse("failedIndexes");
  if (changed("completedIndexes") && textOf(completedIndexes) !== "" && spec.completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalidValue("status.completedIndexes", completedIndexes, detail));
  }
  if (changed("failedIndexes") && !limited && isSet(failedIndexes)) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalidValue("status.failedIndexes", failedIndexes, detail));
  }
  if (changed("failedIndexes", "completedIndexes") && isSet(spec.completions) && isSet(failedIndexes)) {
    const shared = firstShared(textOf(completedIndexes), textOf(failedIndexes), numberOf(spec.completions));
    if (shared !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${shared}`;
      errors.push(invalidValue("status.failedIndexes", failedIndexes, detail));
    }
  }
  return errors;
}

/**
 * Checks a new status of a Job.
 *
 * @param job - the Job with its new status
 * @param previous - the present state of the Job
 * @returns the errors
 */
export function jobStatusErrors(job: ApiObject, previous: ApiObject): FieldError[] {
  const [status, old, spec] = [fieldsOf(job.status), fieldsOf(previous.status), fieldsOf(job.spec)];
  const counts = ["active", "succeeded", "failed", "ready", "terminating"];
  const errors = counts.flatMap((count) => nonNegative(status[count], `status.${count}`));
  errors.push(...uncountedErrors(status.uncountedTerminatedPods), ...stateErrors(job, status, old));
  const refuse = (detail: string): number =>
    errors.push({ type: "FieldValueInvalid", field: "status.conditions", detail });
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (is(old, type) && !is(status, type)) refuse(`cannot disable the terminal ${type}=True condition`);
  }
  const scalable = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  for (const count of scalable ? ["failed"] : ["failed", "succeeded"]) {
    if (numberOf(status[count]) >= numberOf(old[count])) continue;
    errors.push(invalidValue(`status.${count}`, numberOf(status[count]), `cannot decrease the ${count} counter`));
  }
  const moved = (field: string): boolean => isSet(old[field]) && !equalJson(status[field] ?? null, old[field]);
  if (isSet(status.completionTime) && moved("completionTime")) {
    errors.push(invalidValue("status.completionTime", status.completionTime, "field is immutable"));
  }
  const resumes = is(old, "Suspended") && is(status, "Suspended", "False");
  if (moved("startTime") && !resumes && spec.suspend !== true) {
    const detail = "field is immutable for unsuspended job once set";
    errors.push(invalidValue("status.startTime", status.startTime ?? null, detail));
  }
  const met = is(status, "SuccessCriteriaMet");
  if (is(old, "SuccessCriteriaMet") && !met) refuse("cannot disable the SuccessCriteriaMet=True condition");
  if (is(old, "Complete") && !is(old, "SuccessCriteriaMet") && met) {
    refuse("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
  }
  return errors;
}
