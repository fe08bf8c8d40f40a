import { findStatusCondition } from "@kubewright/runtime";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { fakeClient, testContext, VirtualClock } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { CronJob, type CronJobSpec } from "#api/v1/index.ts";
import { CronJobReconciler } from "./cronjob-controller.ts";
import { jobOwner, jobOwnerField } from "./jobs.ts";

const key = { namespace: "default", name: "hello" };
const seconds = 1000;
const minutes = 60 * seconds;

// #region cluster
/** Returns a fake client with a CronJob that runs every minute and was created at 0:00:30, and a clock set to that time. */
function cluster(spec: Partial<CronJobSpec> = {}) {
  const creationTimestamp = "2026-01-01T00:00:30Z";
  const cronJob: CronJob = {
    apiVersion: CronJob.apiVersion,
    kind: CronJob.kind,
    metadata: { ...key, creationTimestamp },
    spec: { schedule: "* * * * *", jobTemplate: { metadata: { labels: { app: "hello" } }, spec: template }, ...spec },
  };
  const client = fakeClient({
    objects: [cronJob],
    statusSubresource: [CronJob],
    indexes: [{ kind: Job, field: jobOwnerField, values: jobOwner }],
  });
  const clock = new VirtualClock(new Date(creationTimestamp));
  const reconciler = new CronJobReconciler(client, clock);
  return {
    client,
    reconcile: () => reconciler.reconcile(testContext(), key),
    /** Advances the clock and reconciles. */
    async elapse(milliseconds: number) {
      await clock.advance(milliseconds);
      return reconciler.reconcile(testContext(), key);
    },
    /** Returns the scheduled times of the existing Jobs. */
    async runs() {
      const { items } = await client.list(Job, { namespace: key.namespace });
      const times = items.map(({ metadata }) => metadata.annotations?.["batch.tutorial.kubebuilder.io/scheduled-at"]);
      return times.sort().map((time) => time?.slice(11, 16));
    },
    /** Sets the result of the Job that was due at a time. */
    async end(run: string, type: "Complete" | "Failed") {
      const name = `${key.name}-${Date.parse(`2026-01-01T${run}:00Z`) / 1000}`;
      const job = await client.get(Job, { ...key, name });
      await client.status.update({ ...job, status: { conditions: [{ type, status: "True" }] } });
    },
    async change(changes: Partial<CronJobSpec>) {
      const found = await client.get(CronJob, key);
      await client.update({ ...found, spec: { ...found.spec, ...changes } });
    },
    status: async () => (await client.get(CronJob, key)).status ?? {},
    async condition(type: string) {
      const { status, reason } = findStatusCondition(await client.get(CronJob, key), type) ?? {};
      return `${status} ${reason}`;
    },
  };
}
// #endregion cluster

const template = {
  template: { spec: { containers: [{ name: "hello", image: "busybox" }], restartPolicy: "OnFailure" } },
};

describe("CronJobReconciler", () => {
  // #region due
  it("starts nothing before the run is due, and requeues for that time", async () => {
    const { reconcile, runs } = cluster();
    await expect(reconcile()).resolves.toEqual({ requeueAfter: 30 * seconds });
    expect(await runs()).toEqual([]);
  });

  it("starts the Job of the template once when it is due", async () => {
    const { client, elapse, reconcile, runs } = cluster();
    await elapse(30 * seconds);
    await reconcile();
    expect(await runs()).toEqual(["00:01"]);
    const job = await client.get(Job, { ...key, name: "hello-1767225660" });
    expect(job.metadata.labels).toEqual({ app: "hello" });
    expect(job.metadata.ownerReferences).toMatchObject([{ kind: "CronJob", name: "hello", controller: true }]);
    expect(job.spec).toMatchObject(template);
  });
  // #endregion due

  it("reports active Jobs and the last scheduled time in the status", async () => {
    const { elapse, reconcile, end, status, condition } = cluster();
    await elapse(30 * seconds);
    expect(await status()).toMatchObject({
      active: [{ kind: "Job", name: "hello-1767225660" }],
      lastScheduleTime: "2026-01-01T00:01:00Z",
    });
    expect(await condition("Progressing")).toBe("True JobsActive");
    await end("00:01", "Complete");
    await reconcile();
    expect(await status()).not.toHaveProperty("active");
    expect(await status()).toMatchObject({ lastScheduleTime: "2026-01-01T00:01:00Z" });
    for (const type of ["Progressing", "Degraded"]) expect(await condition(type)).toMatch(/^False/);
    expect(await condition("Available")).toBe("True Scheduled");
  });

  it("reports only as many active Jobs as the API allows", async () => {
    const { elapse, runs, status } = cluster();
    for (let run = 1; run <= 12; run++) await elapse(1 * minutes);
    expect(await runs()).toHaveLength(12);
    expect((await status()).active).toHaveLength(10);
  });

  it("starts only the latest of the runs that were missed", async () => {
    const { elapse, runs } = cluster();
    await elapse(10 * minutes);
    expect(await runs()).toEqual(["00:10"]);
  });

  it("skips a run after startingDeadlineSeconds, and reports it", async () => {
    const { elapse, runs, condition } = cluster({ schedule: "0 * * * *", startingDeadlineSeconds: 60 });
    await elapse(62 * minutes);
    expect(await runs()).toEqual([]);
    expect(await condition("Degraded")).toBe("True MissedSchedule");
    await elapse(58 * minutes);
    expect(await runs()).toEqual(["02:00"]);
    expect(await condition("Degraded")).toBe("False AsExpected");
  });

  describe("concurrencyPolicy", () => {
    it("Allow: runs can be active at the same time", async () => {
      const { elapse, runs, status } = cluster({ concurrencyPolicy: "Allow" });
      await elapse(1 * minutes);
      await elapse(1 * minutes);
      expect(await runs()).toEqual(["00:01", "00:02"]);
      expect((await status()).active).toHaveLength(2);
    });

    it("Forbid: a run waits until the previous one has ended", async () => {
      const { elapse, end, reconcile, runs } = cluster({ concurrencyPolicy: "Forbid" });
      await elapse(1 * minutes);
      await elapse(1 * minutes);
      expect(await runs()).toEqual(["00:01"]);
      await end("00:01", "Complete");
      await reconcile();
      expect(await runs()).toEqual(["00:01", "00:02"]);
    });

    it("Replace: a run replaces the previous one, unless that has finished", async () => {
      const { elapse, end, runs, status } = cluster({ concurrencyPolicy: "Replace" });
      await elapse(1 * minutes);
      await elapse(1 * minutes);
      expect(await runs()).toEqual(["00:02"]);
      expect((await status()).active).toHaveLength(1);
      await end("00:02", "Complete");
      await elapse(1 * minutes);
      expect(await runs()).toEqual(["00:02", "00:03"]);
    });
  });

  it("keeps only the newest finished Jobs, up to the history limits", async () => {
    const limits = { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 0 };
    const { elapse, end, reconcile, runs, status } = cluster(limits);
    for (const [run, type] of Object.entries({ "00:01": "Complete", "00:02": "Failed", "00:03": "Complete" })) {
      await elapse(1 * minutes);
      await end(run, type as "Complete" | "Failed");
    }
    await reconcile();
    expect(await runs()).toEqual(["00:01", "00:03"]);
    await elapse(1 * minutes);
    await end("00:04", "Complete");
    await reconcile();
    expect(await runs()).toEqual(["00:03", "00:04"]);
    expect((await status()).lastScheduleTime).toBe("2026-01-01T00:04:00Z");
  });

  it("doesn't repeat a run whose Job was deleted", async () => {
    const { elapse, end, reconcile, runs } = cluster({ successfulJobsHistoryLimit: 0 });
    await elapse(1 * minutes);
    await end("00:01", "Complete");
    await reconcile();
    await reconcile();
    expect(await runs()).toEqual([]);
  });

  it("starts nothing while the CronJob is suspended, and then only the latest missed run", async () => {
    const { elapse, change, reconcile, runs, condition } = cluster({ suspend: true });
    await expect(elapse(5 * minutes)).resolves.toBeUndefined();
    expect(await runs()).toEqual([]);
    expect(await condition("Available")).toBe("False Suspended");
    await change({ suspend: false });
    await reconcile();
    expect(await runs()).toEqual(["00:05"]);
  });

  it("reports an invalid schedule, and waits for a change", async () => {
    const { elapse, change, runs, condition } = cluster({ schedule: "hourly" });
    await expect(elapse(1 * minutes)).resolves.toBeUndefined();
    expect(await condition("Available")).toBe("False InvalidSchedule");
    await change({ schedule: "* * * * *" });
    await elapse(1 * minutes);
    expect(await runs()).toEqual(["00:02"]);
    expect(await condition("Available")).toBe("True Scheduled");
  });

  it("writes nothing when nothing has changed", async () => {
    const { client, elapse, reconcile } = cluster();
    await elapse(1 * minutes);
    const before = await client.get(CronJob, key);
    await reconcile();
    expect(await client.get(CronJob, key)).toEqual(before);
  });

  it("does nothing for a deleted CronJob", async () => {
    const { client, reconcile } = cluster();
    await client.delete(CronJob, key);
    await expect(reconcile()).resolves.toBeUndefined();
  });
});
