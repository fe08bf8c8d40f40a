import { describe, expect, it } from "vitest";
import { CronJob as Hub } from "../v1/cronjob-types.ts";
import { spoke } from "./cronjob-conversion.ts";
import { CronJob, type CronSchedule } from "./cronjob-types.ts";

// A value for each field, so that the tests find any field that a conversion drops.
const spec = {
  startingDeadlineSeconds: 60,
  concurrencyPolicy: "Replace",
  suspend: true,
  jobTemplate: { metadata: { labels: { app: "hello" } } },
  successfulJobsHistoryLimit: 0,
  failedJobsHistoryLimit: 2,
} as const;
const status = {
  active: [{ kind: "Job", name: "hello-1767225660" }],
  lastScheduleTime: "2026-01-01T00:01:00Z",
  conditions: [],
};
const metadata = { name: "hello", labels: { a: "b" } };

const v1 = (schedule: string): Hub => ({
  apiVersion: Hub.apiVersion,
  kind: Hub.kind,
  metadata,
  spec: { ...spec, schedule },
  status,
});
const v2 = (schedule: CronSchedule): CronJob => ({
  apiVersion: CronJob.apiVersion,
  kind: CronJob.kind,
  metadata,
  spec: { ...spec, schedule },
  status,
});

// #region round-trip
describe.each<[string, CronSchedule]>([
  ["*/1 * * * *", { minute: "*/1" }],
  ["30 4 1 JAN MON-FRI", { minute: "30", hour: "4", dayOfMonth: "1", month: "JAN", dayOfWeek: "MON-FRI" }],
  ["* * * * *", {}],
])("the schedule %j", (text, fields) => {
  it("keeps all fields of v2 in a conversion to v1 and back", async () => {
    const hub = await spoke.toHub(v2(fields));
    expect(hub.spec.schedule).toBe(text);
    const { apiVersion: _, ...rest } = v2(fields);
    expect(await spoke.fromHub(hub)).toMatchObject(rest);
  });

  it("keeps all fields of v1 in a conversion to v2 and back", async () => {
    const obj = await spoke.fromHub(v1(text));
    expect(obj.spec.schedule).toEqual(fields);
    const { apiVersion: _, ...rest } = v1(text);
    expect(await spoke.toHub(obj)).toMatchObject(rest);
  });
});
// #endregion round-trip

it("converts objects without their fields, which server-side apply sends", async () => {
  const obj = { apiVersion: CronJob.apiVersion, kind: CronJob.kind, metadata } as Partial<CronJob> as CronJob;
  const hub = { apiVersion: Hub.apiVersion, kind: Hub.kind, metadata } as Partial<Hub> as Hub;
  expect((await spoke.toHub(obj)).metadata).toEqual(metadata);
  expect((await spoke.fromHub(hub)).metadata).toEqual(metadata);
});

it("reports a schedule that v2 can't represent", async () => {
  expect(() => spoke.fromHub(v1("@hourly"))).toThrow('spec.schedule: "@hourly" must have five fields');
});
