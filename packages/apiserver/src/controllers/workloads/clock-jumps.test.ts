import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { WorkQueue } from "../../client/work-queue.ts";
import type { Engine } from "../../registry/scope.ts";
import { EventRecorder } from "./common/events.ts";
import { Cluster, conditionsOf, deployment, podTemplate, TestClock } from "./workloads.fixture.ts";

// The wall clock changes by a command or by NTP.
const second = 1000;
const hour = 3_600_000;
const years = 2 * 365 * 24 * hour;
const jumps = [
  ["two years forward", years],
  ["two years back", -years],
] as const;

const event = (name: string) => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name, namespace: "default" },
  involvedObject: { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "default" },
});

describe.each(jumps)("with the clock set %s", (_, jump) => {
  it("keeps Events for an hour", async () => {
    const cluster = await Cluster.start({});
    await cluster.create("v1/events", event("a"));
    cluster.clock.set(jump);
    await cluster.create("v1/events", event("b"));
    await cluster.advance(hour / 2);
    expect(await cluster.list("v1/events")).toHaveLength(2);
    await cluster.advance(hour);
    expect(await cluster.list("v1/events")).toEqual([]);
  });

  it("keeps Events of a data file for an hour at most", async () => {
    const directory = mkdtempSync(join(tmpdir(), "clock-jumps-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const dataFile = join(directory, "data");
    const first = await Cluster.start({}, { dataFile });
    await first.create("v1/events", event("a"));
    await first.server.stop();
    const clock = new TestClock();
    clock.set(jump);
    const again = await Cluster.start({}, { dataFile, clock });
    await clock.advance(hour + second);
    expect(await again.list("v1/events")).toEqual([]);
  });

  it("starts the containers of Pods", async () => {
    const cluster = await Cluster.start({ workloads: { podReadyAfter: 60 * second } });
    await cluster.create("apps/v1/deployments", deployment("web"));
    await cluster.advance(second);
    cluster.clock.set(jump);
    await cluster.advance(30 * second);
    const ready = async (): Promise<string[]> => conditionsOf((await cluster.list("v1/pods"))[0]);
    expect(await ready()).not.toContain("Ready=True");
    await cluster.advance(40 * second);
    expect(await ready()).toContain("Ready=True");
  });

  it("stops the containers of Pods that end", async () => {
    const cluster = await Cluster.start({ workloads: { podReadyAfter: second } });
    const annotations = { "apiserver.kubewright.dev/stop-after": "20s" };
    await cluster.create("v1/pods", {
      apiVersion: "v1",
      kind: "Pod",
      ...podTemplate("a", annotations),
      metadata: { name: "a", annotations },
    });
    await cluster.advance(5 * second);
    await cluster.delete("v1/pods/a");
    await cluster.advance(second);
    cluster.clock.set(jump);
    await cluster.advance(40 * second);
    expect(await cluster.list("v1/pods")).toEqual([]);
  });

  it("records Events about an object", async () => {
    const clock = new TestClock();
    const recorded: string[] = [];
    const engine = {
      now: () => clock.date().getTime(),
      elapsed: () => clock.now(),
      random: () => 0,
      recordsEvents: true,
      resource: () => ({}),
      after: (_: number, call: () => void) => void setImmediate(call),
      stopping: new AbortController().signal,
    } as unknown as Engine;
    const client = {
      create: async (_id: unknown, { message }: { message: string }) => void recorded.push(message),
    };
    const recorder = new EventRecorder(engine, client as never, { component: "test" });
    const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "default", uid: "u" } };
    for (let index = 0; index < 30; index++) recorder.normal(object as never, `Reason${index}`, `message ${index}`);
    clock.set(jump);
    await clock.advance(600 * second);
    for (let index = 30; index < 40; index++) recorder.normal(object as never, `Reason${index}`, `message ${index}`);
    await expect.poll(() => recorded.length).toBe(27);
    expect(recorded).toEqual(
      [...Array.from({ length: 25 }, (_, index) => index), 30, 31].map((index) => `message ${index}`),
    );
  });

  it("runs a key of a queue after the shortest of its delays", async () => {
    const clock = new TestClock();
    const seen: string[] = [];
    const after = (milliseconds: number, call: () => void) => {
      const timer = clock.setTimeout(call, milliseconds);
      return () => clock.clearTimeout(timer);
    };
    const engine = {
      now: () => clock.date().getTime(),
      elapsed: () => clock.now(),
      after,
      stopping: new AbortController().signal,
    };
    const queue = new WorkQueue(engine as unknown as Engine, async (key) => void seen.push(key));
    queue.addAfter("a", 60 * second);
    clock.set(jump);
    queue.addAfter("a", second);
    queue.addAfter("a", 120 * second);
    await clock.advance(2 * second);
    expect(seen).toEqual(["a"]);
  });
});

it("looks at the account of a token again after ten seconds, with the clock set back by half a minute", async () => {
  const cluster = await Cluster.start({});
  await cluster.create("v1/serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } });
  const { status } = await cluster.create("v1/serviceaccounts/a/token", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {},
  });
  const isValid = async (): Promise<boolean> => {
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: status.token } };
    const answer = await cluster.send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review);
    return answer.status.authenticated === true;
  };
  expect(await isValid()).toBe(true);
  await cluster.delete("v1/serviceaccounts/a");
  cluster.clock.set(-30 * second);
  await cluster.advance(11 * second);
  expect(await isValid()).toBe(false);
});
