import { testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { CronJob, type CronJobSpec } from "#api/v1/index.ts";
import { CronJobDefaulter, CronJobValidator } from "./cronjob-webhook.ts";

const ctx = testContext();

function cronJob(spec: Partial<CronJobSpec> = {}, name = "hello"): CronJob {
  return {
    apiVersion: CronJob.apiVersion,
    kind: CronJob.kind,
    metadata: { name, namespace: "default" },
    spec: { schedule: "*/1 * * * *", jobTemplate: {}, ...spec },
  };
}

describe("CronJobDefaulter", () => {
  const defaulter = new CronJobDefaulter();

  it("sets defaults for absent fields", async () => {
    const created = cronJob();
    await defaulter.default(ctx, created);
    expect(created.spec).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
  });

  it("keeps set fields, including zeros", async () => {
    const own: Partial<CronJobSpec> = {
      concurrencyPolicy: "Forbid",
      suspend: true,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
    };
    const created = cronJob(own);
    await defaulter.default(ctx, created);
    expect(created.spec).toMatchObject(own);
  });

  it("ignores an object without a spec, which the schema rejects", async () => {
    const { spec: _, ...rest } = cronJob();
    await expect(defaulter.default(ctx, rest as CronJob)).resolves.toBeUndefined();
  });
});

describe("CronJobValidator", () => {
  const validator = new CronJobValidator();

  it("accepts a valid schedule and a name that is short enough for Jobs", async () => {
    await expect(validator.validateCreate(ctx, cronJob({}, "n".repeat(52)))).resolves.toBeUndefined();
    await expect(validator.validateUpdate(ctx, cronJob(), cronJob())).resolves.toBeUndefined();
    await expect(validator.validateDelete()).resolves.toBeUndefined();
  });

  it("rejects an invalid schedule on create and update", async () => {
    const [good, bad] = [cronJob(), cronJob({ schedule: "60 * * * *" })];
    const message = 'spec.schedule: Invalid value: "60 * * * *": Invalid value for minute: 60';
    await expect(validator.validateCreate(ctx, bad)).rejects.toThrow(message);
    await expect(validator.validateUpdate(ctx, good, bad)).rejects.toThrow(message);
  });

  it("rejects a name that is too long for Jobs", async () => {
    const long = cronJob({}, "n".repeat(53));
    await expect(validator.validateCreate(ctx, long)).rejects.toThrow("must be no more than 52 characters");
  });

  it("reports all problems in one error, each with its field", async () => {
    const refusal = validator.validateCreate(ctx, cronJob({ schedule: "hourly" }, "n".repeat(53)));
    await expect(refusal).rejects.toMatchObject({
      code: 422,
      status: { details: { causes: [{ field: "metadata.name" }, { field: "spec.schedule" }] } },
    });
  });
});
