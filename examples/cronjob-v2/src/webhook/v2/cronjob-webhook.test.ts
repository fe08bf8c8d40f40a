import { testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { CronJob, type CronSchedule } from "#api/v2/index.ts";
import { CronJobDefaulter, CronJobValidator } from "./cronjob-webhook.ts";

const ctx = testContext();

function cronJob(schedule: CronSchedule = {}, name = "hello"): CronJob {
  return {
    apiVersion: CronJob.apiVersion,
    kind: CronJob.kind,
    metadata: { name, namespace: "default" },
    spec: { schedule, jobTemplate: {} },
  };
}

it("CronJobDefaulter sets defaults for absent fields", async () => {
  const created = cronJob();
  await new CronJobDefaulter().default(ctx, created);
  expect(created.spec).toMatchObject({ concurrencyPolicy: "Allow", suspend: false, failedJobsHistoryLimit: 1 });
});

describe("CronJobValidator", () => {
  const validator = new CronJobValidator();

  it("accepts a schedule with some or no fields", async () => {
    for (const schedule of [{ minute: "*/1" }, { hour: "4", dayOfWeek: "MON-FRI" }, {}]) {
      await expect(validator.validateCreate(ctx, cronJob(schedule))).resolves.toBeUndefined();
    }
    await expect(validator.validateDelete()).resolves.toBeUndefined();
  });

  it("reports each invalid field", async () => {
    const refusal = validator.validateUpdate(
      ctx,
      cronJob(),
      cronJob({ minute: "60", hour: "4", dayOfWeek: "someday" }),
    );
    await expect(refusal).rejects.toMatchObject({
      status: { details: { causes: [{ field: "spec.schedule.minute" }, { field: "spec.schedule.dayOfWeek" }] } },
    });
  });

  it("rejects a field with more than one value", async () => {
    const refusal = validator.validateCreate(ctx, cronJob({ minute: "0 4" }));
    await expect(refusal).rejects.toThrow('spec.schedule.minute: Invalid value: "0 4"');
  });

  it("rejects valid fields that are never due in combination", async () => {
    const refusal = validator.validateCreate(ctx, cronJob({ minute: "0", hour: "0", dayOfMonth: "30", month: "2" }));
    await expect(refusal).rejects.toThrow('spec.schedule: Invalid value: "0 0 30 2 *": there is no such day');
  });

  it("rejects a name that is too long for Jobs", async () => {
    await expect(validator.validateCreate(ctx, cronJob({}, "n".repeat(53)))).rejects.toThrow("52 characters");
  });
});
