import {
  ApiError,
  type Context,
  type CustomDefaulter,
  type CustomValidator,
  type Manager,
  newWebhookManagedBy,
} from "@kubewright/runtime";
import { CronJob, type CronJobSpec } from "../../../api/v1/index.ts";
import { Schedule } from "../../schedule/schedule.ts";

/** Registers the webhooks of CronJob with the manager, which serves them. */
export async function setupCronJobWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, CronJob)
    .withDefaulter(new CronJobCustomDefaulter())
    .withValidator(new CronJobCustomValidator())
    .complete();
}

// #region defaulter
// +kubebuilder:webhook:path=/mutate-batch-tutorial-kubebuilder-io-v1-cronjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v1,name=mcronjob-v1.kb.io,admissionReviewVersions=v1

/** CronJobCustomDefaulter fills in what users leave out of a CronJob. */
export class CronJobCustomDefaulter implements CustomDefaulter<CronJob> {
  async default(ctx: Context, cronJob: CronJob): Promise<void> {
    ctx.log.debug("defaulting", { name: cronJob.metadata?.name });
    setDefaults(cronJob.spec);
  }
}

/** The fields that have defaults: the same in all versions. */
export type Defaulted = Pick<
  CronJobSpec,
  "concurrencyPolicy" | "suspend" | "successfulJobsHistoryLimit" | "failedJobsHistoryLimit"
>;

/** Fills in what is left out. Without a spec there is nothing to fill: the schema is asked after the webhook, and refuses it. */
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

/** CronJobCustomValidator refuses schedules that say nothing, and names that are too long for the Jobs. */
export class CronJobCustomValidator implements CustomValidator<CronJob> {
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
/** What is wrong with a field. */
export interface Problem {
  reason: "FieldValueInvalid";
  /** Where it stands, such as `spec.schedule`. */
  field: string;
  message: string;
}

/** Throws what the API server itself would answer to an invalid object, with all problems that there are. */
export function refuse({ metadata }: { metadata?: { name?: string } }, problems: (Problem | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw ApiError.invalid(CronJob, metadata?.name ?? "", found);
}

/** The name of a Job has a point in time behind that of its CronJob, eleven characters, and Jobs may have 63. */
export function nameProblem({ metadata: { name = "" } = {} }: { metadata?: { name?: string } }): Problem | undefined {
  const most = 63 - 11;
  return name.length > most ? invalid("metadata.name", name, `must be no more than ${most} characters`) : undefined;
}

/** What is wrong with a schedule, where something is. */
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
