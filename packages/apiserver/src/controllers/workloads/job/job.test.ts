import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { type AnyObject, Cluster, conditionsOf, podTemplate } from "../workloads.fixture.ts";

const fail = "apiserver.kubewright.dev/fail";
const failTimes = "apiserver.kubewright.dev/fail-times";

function job(spec: JsonObject = {}, annotations?: { [key: string]: string }, podSpec: JsonObject = {}): JsonObject {
  const template = podTemplate("work", annotations, { restartPolicy: "Never", ...podSpec });
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "work" }, spec: { template, ...spec } };
}

async function run(cluster: Cluster, seconds: number): Promise<AnyObject> {
  await cluster.advance(seconds * 1000);
  return cluster.get("batch/v1/jobs/work");
}

describe("Jobs", () => {
  it("complete when their Pod succeeds", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job());
    const { status } = await run(cluster, 1.5);
    expect(status).toMatchObject({ active: 1, ready: 1, startTime: "2026-01-01T00:00:00Z" });
    const done = await run(cluster, 5);
    expect(conditionsOf(done)).toEqual([
      "SuccessCriteriaMet=True (CompletionsReached)",
      "Complete=True (CompletionsReached)",
    ]);
    expect(done.status).toMatchObject({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(done.status.completionTime).toBe("2026-01-01T00:00:02Z");
    const [pod] = await cluster.list("v1/pods");
    expect(pod.status.phase).toBe("Succeeded");
    expect(pod.metadata.finalizers).toBeUndefined();
    expect(await cluster.events("work")).toEqual([
      `SuccessfulCreate: Created pod: ${pod.metadata.name}`,
      "Completed: Job completed",
    ]);
  });

  it("run as many Pods as parallelism allows, until the completions are reached", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job({ parallelism: 2, completions: 5 }));
    expect((await run(cluster, 1.5)).status).toMatchObject({ active: 2 });
    expect((await run(cluster, 20)).status).toMatchObject({ succeeded: 5 });
    expect(await cluster.list("v1/pods")).toHaveLength(5);
  });

  it("retry with growing delays, and fail at the limit", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job({ backoffLimit: 2 }, { [fail]: "crash" }));
    expect((await run(cluster, 5)).status).toMatchObject({ failed: 1 });
    expect((await run(cluster, 10)).status).toMatchObject({ failed: 2 });
    const failed = await run(cluster, 30);
    expect(failed.status).toMatchObject({ failed: 3 });
    expect(conditionsOf(failed)).toEqual([
      "FailureTarget=True (BackoffLimitExceeded)",
      "Failed=True (BackoffLimitExceeded)",
    ]);
    expect((await cluster.events("work")).at(-1)).toBe(
      "BackoffLimitExceeded: Job has reached the specified backoff limit",
    );
  });

  it("succeed after the number of failures in an annotation", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job({}, { [fail]: "crash", [failTimes]: "2" }));
    const done = await run(cluster, 60);
    expect(done.status).toMatchObject({ failed: 2, succeeded: 1 });
  });

  it("restart containers with OnFailure, and fail at the limit", async () => {
    const cluster = await Cluster.start();
    await cluster.create(
      "batch/v1/jobs",
      job({ backoffLimit: 2 }, { [fail]: "crash" }, { restartPolicy: "OnFailure" }),
    );
    const failed = await run(cluster, 60);
    expect(conditionsOf(failed).at(-1)).toBe("Failed=True (BackoffLimitExceeded)");
    expect(await cluster.list("v1/pods")).toHaveLength(0);
  });

  it("stop at the deadline", async () => {
    const cluster = await Cluster.start();
    const annotations = { "apiserver.kubewright.dev/run-for": "1h" };
    await cluster.create("batch/v1/jobs", job({ activeDeadlineSeconds: 10 }, annotations));
    const failed = await run(cluster, 12);
    expect(conditionsOf(failed).at(-1)).toBe("Failed=True (DeadlineExceeded)");
    expect(failed.status.active).toBeUndefined();
  });

  it("stop their Pods while they are suspended", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job({ suspend: true }));
    const suspended = await run(cluster, 5);
    expect(conditionsOf(suspended)).toEqual(["Suspended=True (JobSuspended)"]);
    expect(suspended.status.startTime).toBeUndefined();
    await cluster.patch("batch/v1/jobs/work", { spec: { suspend: false } });
    const resumed = await run(cluster, 5);
    expect(conditionsOf(resumed)[0]).toBe("Suspended=False (JobResumed)");
    expect(resumed.status.succeeded).toBe(1);
  });

  it("set an index on each Pod in Indexed mode", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job({ completionMode: "Indexed", completions: 3, parallelism: 3 }));
    await cluster.advance(1500);
    const pods = await cluster.list("v1/pods");
    const key = "batch.kubernetes.io/job-completion-index";
    expect(pods.map(({ metadata }) => metadata.annotations[key]).sort()).toEqual(["0", "1", "2"]);
    expect(pods.map(({ spec }) => spec.hostname).sort()).toEqual(["work-0", "work-1", "work-2"]);
    expect(pods[0].spec.containers[0].env).toEqual([
      {
        name: "JOB_COMPLETION_INDEX",
        valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${key}']` } },
      },
    ]);
    expect((await run(cluster, 10)).status).toMatchObject({ succeeded: 3, completedIndexes: "0-2" });
  });

  it("count failures per index", async () => {
    const cluster = await Cluster.start();
    const spec = { completionMode: "Indexed", completions: 2, parallelism: 2, backoffLimitPerIndex: 1 };
    await cluster.create("batch/v1/jobs", job(spec, { [fail]: "crash" }));
    const failed = await run(cluster, 60);
    expect(failed.status).toMatchObject({ failed: 4, failedIndexes: "0,1" });
    expect(conditionsOf(failed).at(-1)).toBe("Failed=True (FailedIndexes)");
  });

  it("apply the podFailurePolicy", async () => {
    const cluster = await Cluster.start();
    const onExitCodes = { operator: "In", values: [42] };
    const podFailurePolicy = { rules: [{ action: "FailJob", onExitCodes }] };
    await cluster.create("batch/v1/jobs", job({ podFailurePolicy }, { "apiserver.kubewright.dev/exit-code": "42" }));
    const failed = await run(cluster, 10);
    const [pod] = await cluster.list("v1/pods");
    expect(failed.status.conditions.at(-1)).toMatchObject({
      type: "Failed",
      reason: "PodFailurePolicy",
      message: `Container app for pod default/${pod.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    });
  });

  it("apply the successPolicy", async () => {
    const cluster = await Cluster.start();
    const successPolicy = { rules: [{ succeededCount: 1 }] };
    await cluster.create(
      "batch/v1/jobs",
      job({ completionMode: "Indexed", completions: 3, parallelism: 1, successPolicy }),
    );
    const done = await run(cluster, 10);
    expect(conditionsOf(done)).toEqual(["SuccessCriteriaMet=True (SuccessPolicy)", "Complete=True (SuccessPolicy)"]);
    expect(done.status.succeeded).toBe(1);
  });

  it("are deleted ttlSecondsAfterFinished after they finish", async () => {
    const cluster = await Cluster.start();
    await cluster.create("batch/v1/jobs", job({ ttlSecondsAfterFinished: 60 }));
    await run(cluster, 30);
    await cluster.advance(60_000);
    await expect(cluster.get("batch/v1/jobs/work")).rejects.toThrow("404");
    expect(await cluster.list("v1/pods")).toEqual([]);
  });
});
