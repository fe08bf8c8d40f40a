import { Job } from "@kubewright/runtime/api/batch/v1";
import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { expect, it } from "vitest";
import { CronJob } from "#api/v1/index.ts";
import { CronJobReconciler } from "./cronjob-controller.ts";
import { scheduledAtAnnotation, sortJobs } from "./jobs.ts";

const key = { namespace: "default", name: "hello" };
const hour = 3_600_000;

const hello: CronJob = {
  apiVersion: CronJob.apiVersion,
  kind: CronJob.kind,
  metadata: { ...key },
  spec: {
    schedule: "0 * * * *",
    concurrencyPolicy: "Forbid",
    successfulJobsHistoryLimit: 2,
    jobTemplate: {
      spec: {
        template: { spec: { containers: [{ name: "hello", image: "busybox" }], restartPolicy: "OnFailure" } },
      },
    },
  },
};

it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    // All faults but "recreate": a CronJob that is created again has no history.
    faults: ["stale", "crash", "replicas", "conflict", "lost", "errors", "watch", "time", "hands", "children", "gc"],
    operator: async (mgr) => {
      await new CronJobReconciler(mgr.client).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(hello);
      await world.settled();
      for (let run = 1; run <= 3; run++) {
        await world.advance(hour);
        await world.settled();
      }
      await world.client.patch(CronJob, key, { spec: { suspend: true } });
      await world.settled();
      await world.client.delete(CronJob, key);
    },
    invariants: [
      always("each run starts at most one Job", (world) => {
        const runs = world.list(Job).map(({ metadata }) => metadata.annotations?.[scheduledAtAnnotation]);
        return new Set(runs).size === runs.length;
      }),
      eventually("the status lists the active Jobs, and the history has its limit", (world) => {
        const cronJob = world.object(CronJob, key);
        if (!cronJob) return;
        const { active, succeeded } = sortJobs(world.list(Job));
        expect(cronJob.status?.active ?? []).toHaveLength(active.length);
        expect(succeeded.length).toBeLessThanOrEqual(2);
      }),
    ],
  });
}, 60_000);
