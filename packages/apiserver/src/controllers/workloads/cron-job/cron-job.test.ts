import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { Cluster, podTemplate } from "../workloads.fixture.ts";
import { parseSchedule, zonedTime } from "./schedule.ts";

const minute = 60_000;
const slow = { "apiserver.kubewright.dev/run-for": "90s" };

function cronJob(spec: JsonObject = {}, annotations?: { [key: string]: string }): JsonObject {
  const template = podTemplate("tick", annotations, { restartPolicy: "Never" });
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "tick" },
    spec: { schedule: "*/1 * * * *", jobTemplate: { spec: { template } }, ...spec },
  };
}

async function jobNames(cluster: Cluster): Promise<string[]> {
  return (await cluster.list("batch/v1/jobs")).map(({ metadata }) => metadata.name);
}

describe("CronJobs", () => {
  it("create a Job at each time of the schedule", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/cronjobs", cronJob());
    await cluster.advance(30_000);
    expect(await jobNames(cluster)).toEqual([]);
    await cluster.advance(31_000);
    expect(await jobNames(cluster)).toEqual(["tick-29453761"]);
    const started = await cluster.get("batch/v1/cronjobs/tick");
    expect(started.status).toMatchObject({
      active: [{ apiVersion: "batch/v1", kind: "Job", name: "tick-29453761", namespace: "default" }],
      lastScheduleTime: "2026-01-01T00:01:00Z",
    });
    const [job] = await cluster.list("batch/v1/jobs");
    expect(job.metadata.annotations).toEqual({
      "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:01:00Z",
    });
    await cluster.advance(10_000);
    const { status } = await cluster.get("batch/v1/cronjobs/tick");
    expect(status).toEqual({
      lastScheduleTime: "2026-01-01T00:01:00Z",
      lastSuccessfulTime: "2026-01-01T00:01:02Z",
    });
    expect(await cluster.events("tick")).toEqual([
      "SuccessfulCreate: Created job tick-29453761",
      "SawCompletedJob: Saw completed job: tick-29453761, condition: Complete",
    ]);
  });

  it("keep only as many finished Jobs as the limits allow", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/cronjobs", cronJob({ successfulJobsHistoryLimit: 2 }));
    await cluster.advance(5 * minute + 30_000);
    expect(await jobNames(cluster)).toEqual(["tick-29453764", "tick-29453765"]);
  });

  it("don't start a second Job with Forbid", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/cronjobs", cronJob({ concurrencyPolicy: "Forbid" }, slow));
    await cluster.advance(2 * minute + 10_000);
    expect(await jobNames(cluster)).toEqual(["tick-29453761"]);
    expect(await cluster.events("tick")).toContain(
      "JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid",
    );
  });

  it("replace a running Job with Replace", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/cronjobs", cronJob({ concurrencyPolicy: "Replace" }, slow));
    await cluster.advance(2 * minute + 10_000);
    expect(await jobNames(cluster)).toEqual(["tick-29453762"]);
    expect(await cluster.events("tick")).toContain("SuccessfulDelete: Deleted job tick-29453761");
  });

  it("don't start Jobs while they are suspended", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/cronjobs", cronJob({ suspend: true }));
    await cluster.advance(3 * minute);
    expect(await jobNames(cluster)).toEqual([]);
    await cluster.patch("batch/v1/cronjobs/tick", { spec: { suspend: false, startingDeadlineSeconds: 10 } });
    await cluster.advance(20_000);
    // The CronJob was resumed at a time of the schedule.
    expect(await jobNames(cluster)).toEqual(["tick-29453763"]);
  });

  it("use a changed schedule", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/cronjobs", cronJob({ schedule: "0 0 1 1 *" }));
    await cluster.advance(1000);
    await cluster.patch("batch/v1/cronjobs/tick", { spec: { schedule: "* * * * *" } });
    await cluster.advance(minute);
    expect(await jobNames(cluster)).toEqual(["tick-29453761"]);
  });

  it("accept schedules with time zones, names and intervals", () => {
    const start = Date.parse("2026-03-28T12:00:00Z");
    const next = (schedule: string, zone?: string): string =>
      new Date(parseSchedule(schedule, zone).next(start) as number).toISOString();
    expect(next("30 9 * * *", "Europe/Berlin")).toBe("2026-03-29T07:30:00.000Z");
    expect(next("TZ=Asia/Tokyo 30 9 * * *")).toBe("2026-03-29T00:30:00.000Z");
    expect(next("@daily")).toBe("2026-03-29T00:00:00.000Z");
    expect(next("@midnight")).toBe("2026-03-29T00:00:00.000Z");
    expect(next("@every 1h30m")).toBe("2026-03-28T13:30:00.000Z");
    expect(next("@every .5h")).toBe("2026-03-28T12:30:00.000Z");
    expect(next("0 0 13 * FRI")).toBe("2026-04-03T00:00:00.000Z");
    expect(next("0 0 ? * MON-FRI")).toBe("2026-03-30T00:00:00.000Z");
    expect(() => parseSchedule("* * * *")).toThrow("expected exactly 5 fields, found 4: [* * * *]");
    expect(zonedTime(start, "Asia/Kolkata")).toBe("2026-03-28T17:30:00+05:30");
  });
});
