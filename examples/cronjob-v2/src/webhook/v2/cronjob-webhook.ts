import { type Context, type Defaulter, type Manager, newWebhookManagedBy, type Validator } from "@kubewright/runtime";
import { fieldNames, scheduleText } from "#api/v2/cronjob-conversion.ts";
import { CronJob, type CronSchedule } from "#api/v2/index.ts";
import { nameProblem, type Problem, refuse, scheduleProblem, setDefaults } from "../v1/cronjob-webhook.ts";

/** Registers the webhooks of CronJob with the manager. */
export async function setupCronJobWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, CronJob)
    .withDefaulter(new CronJobDefaulter())
    .withValidator(new CronJobValidator())
    .complete();
}

// +kubebuilder:webhook:path=/mutate-batch-tutorial-kubebuilder-io-v2-cronjob,mutating=true,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v2,name=mcronjob-v2.kb.io,admissionReviewVersions=v1

/** CronJobDefaulter sets the same defaults as in v1. */
export class CronJobDefaulter implements Defaulter<CronJob> {
  async default(ctx: Context, cronJob: CronJob): Promise<void> {
    ctx.log.debug("defaulting", { name: cronJob.metadata?.name });
    setDefaults(cronJob.spec);
  }
}

// #region validator
// +kubebuilder:webhook:path=/validate-batch-tutorial-kubebuilder-io-v2-cronjob,mutating=false,failurePolicy=fail,sideEffects=None,groups=batch.tutorial.kubebuilder.io,resources=cronjobs,verbs=create;update,versions=v2,name=vcronjob-v2.kb.io,admissionReviewVersions=v1

/** CronJobValidator rejects the same objects as in v1, and reports the field of the schedule that isn't valid. */
export class CronJobValidator implements Validator<CronJob> {
  async validateCreate(_ctx: Context, cronJob: CronJob): Promise<void> {
    refuse(cronJob, [nameProblem(cronJob), ...scheduleProblems(cronJob.spec.schedule)]);
  }

  async validateUpdate(ctx: Context, _before: CronJob, cronJob: CronJob): Promise<void> {
    await this.validateCreate(ctx, cronJob);
  }

  async validateDelete(): Promise<void> {}
}

/** Validates each field alone, as if the others were unset. If all are valid, it validates the whole schedule. */
function scheduleProblems(schedule: CronSchedule): (Problem | undefined)[] {
  const problems = fieldNames.map((name) => {
    const field = schedule[name];
    return field === undefined
      ? undefined
      : scheduleProblem(`spec.schedule.${name}`, scheduleText({ [name]: field }), field);
  });
  if (problems.some((problem) => problem !== undefined)) return problems;
  return [scheduleProblem("spec.schedule", scheduleText(schedule))];
}
// #endregion validator
