import {
  ApiError,
  type Context,
  type Defaulter,
  type Manager,
  newWebhookManagedBy,
  type Validator,
} from "@kubewright/runtime";
import { CronJob, type CronJobSpec } from "#api/v1/index.ts";
import { Schedule } from "../../schedule/schedule.ts";

/** Registers the webhooks of CronJob with the manager. */
export async function setupCronJobWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, CronJob)
    .withDefaulter(new CronJobDefaulter())
    .withValidator(new CronJobValidator())
    .complete();
}

// #region defaulter
// +kubebuilder:webhook:path=/mutate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v1,name=mcronjob-v1.kb.io,admissionReviewVersions=v1

/** CronJobDefaulter sets the defaults of a CronJob. */
export class CronJobDefaulter implements Defaulter<CronJob> {
  async default(ctx: Context, cronJob: CronJob): Promise<void> {
    ctx.log.debug("defaulting", { name: cronJob.metadata?.name });
    setDefaults(cronJob.spec);
  }
}

/** The fields with defaults. They are the same in all versions. */
export type Defaulted = Pick<
  CronJobSpec,
  "concurrencyPolicy" | "suspend" | "successfulJobsHistoryLimit" | "failedJobsHistoryLimit"
>;

/** Sets defaults. The API server rejects an object without a spec after the webhook, because of its schema. */
export function setDefaults(spec: Defaulted | undefined): void {
  if (!spec) return;
  spec.concurrencyPolicy ??= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}
// #endregion defaulter

// #region validator
// +kubebuilder:webhook:path=/validate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=false,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v1,name=vcronjob-v1.kb.io,admissionReviewVersions=v1

/** CronJobValidator rejects invalid schedules, and names that are too long for the Jobs. */
export class CronJobValidator implements Validator<CronJob> {
  async validateCreate(_ctx: Context, cronJob: CronJob): Promise<void> {
    refuse(cronJob, [nameProblem(cronJob), scheduleProblem("spec.schedule", cronJob.spec.schedule)]);
  }

  async validateUpdate(ctx: Context, _before: CronJob, cronJob: CronJob): Promise<void> {
    await this.validateCreate(ctx, cronJob);
  }

  async validateDelete(): Promise<void> {}
}
// #endregion validator

// #region problems
/** A validation error of a field. */
export interface Problem {
  reason: "FieldValueInvalid";
  /** Path of the field, such as `spec.schedule`. */
  field: string;
  message: string;
}

/** Throws the error that the API server returns for an invalid object, if there are problems. It contains all of them. */
export function refuse({ metadata }: { metadata?: { name?: string } }, problems: (Problem | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw ApiError.invalid(CronJob, metadata?.name ?? "", found);
}

/** The name of a Job is the name of its CronJob, a dash and a timestamp of ten digits. Names of Jobs have at most 63 characters. */
export function nameProblem({ metadata: { name = "" } = {} }: { metadata?: { name?: string } }): Problem | undefined {
  const most = 63 - 11;
  return name.length > most ? invalid("metadata.name", name, `must be no more than ${most} characters`) : undefined;
}

/** Returns the validation error of a schedule, or `undefined` if it is valid. */
export function scheduleProblem(field: string, schedule: string, value = schedule): Problem | undefined {
  try {
    new Schedule(schedule);
    return undefined;
  } catch (error) {
    return invalid(field, value, error instanceof Error ? error.message : String(error));
  }
}

function invalid(field: string, value: string, why: string): Problem {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${JSON.stringify(value)}: ${why}` };
}
// #endregion problems
