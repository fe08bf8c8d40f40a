import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { expect, it, onTestFinished } from "vitest";
import type { ApiServerOptions } from "../engine/options.ts";
import type { AnswerStream } from "../model/request.ts";
import type { Engine } from "../registry/scope.ts";
import { Store } from "../storage/store.ts";
import { expireEvents } from "./event-expiry.ts";
import { Cluster, TestClock } from "./workloads/workloads.fixture.ts";

const minute = 60_000;
const events = "/api/v1/namespaces/default/events";

const event = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name, namespace: "default", ...more },
  involvedObject: { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "default" },
  reason: "Tested",
  message: "tested",
});

async function namesOf(cluster: Cluster): Promise<string[]> {
  const { items } = await cluster.send("GET", events);
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

async function start(options: ApiServerOptions = {}): Promise<Cluster> {
  return Cluster.start({}, options);
}

it("removes events an hour after their last write, with a watch event", async () => {
  const cluster = await start();
  await cluster.send("POST", events, event("a"));
  await cluster.send("POST", events, event("b", { finalizers: ["example.com/f"] }));
  const { metadata } = await cluster.send("GET", events);
  const url = `${events}?watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=10000`;
  const { stream } = await cluster.server.handle({ method: "GET", url, headers: {} });
  const seen: string[] = [];
  void (async () => {
    for await (const text of stream as AnswerStream) {
      for (const line of String(text).trim().split("\n")) {
        const { type, object } = JSON.parse(line);
        seen.push(`${type} ${object.metadata.name} ${object.metadata.resourceVersion > metadata.resourceVersion}`);
      }
    }
  })();
  await cluster.clock.advance(30 * minute);
  await cluster.send("PATCH", `${events}/a`, { count: 2 }, "application/merge-patch+json");
  await cluster.clock.advance(31 * minute);
  expect(await namesOf(cluster)).toEqual(["a"]);
  await cluster.clock.advance(30 * minute);
  expect(await namesOf(cluster)).toEqual([]);
  expect(seen).toEqual(["MODIFIED a true", "DELETED b true", "DELETED a true"]);
  expect(cluster.clock.pending).toBeLessThan(3);
});

it("removes more events than fit into one batch", async () => {
  const cluster = await start();
  for (let i = 0; i < 1100; i++) await cluster.send("POST", events, event(`e${i}`));
  await cluster.clock.advance(61 * minute);
  expect(await namesOf(cluster)).toEqual([]);
});

it("continues after a restart: events of a data file expire an hour after their last write", async () => {
  const directory = mkdtempSync(join(tmpdir(), "events-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const dataFile = join(directory, "data");
  const first = await start({ dataFile });
  await first.send("POST", events, event("old"));
  await first.clock.advance(50 * minute);
  await first.send("POST", events, event("new"));
  await first.server.stop();
  const clock = new TestClock();
  await clock.advance(70 * minute);
  const second = await start({ dataFile, clock });
  await clock.advance(1);
  expect(await namesOf(second)).toEqual(["new"]);
  await clock.advance(45 * minute);
  expect(await namesOf(second)).toEqual([]);
});

it("continues after a return to a past state", async () => {
  const cluster = await start();
  const { revision } = cluster.server;
  await cluster.send("POST", events, event("a"));
  await cluster.server.restart(revision);
  await cluster.send("POST", events, event("b"));
  await cluster.clock.advance(61 * minute);
  expect(await namesOf(cluster)).toEqual([]);
});

it("removes the oldest events beyond 10,000 with simulated workloads", async () => {
  const clock = new TestClock();
  const store = new Store({ now: () => clock.now() });
  const stored = store.collection("events");
  const after = (milliseconds: number, call: () => void): (() => void) => {
    const timer = clock.setTimeout(call, milliseconds);
    return () => clock.clearTimeout(timer);
  };
  onTestFinished(expireEvents({ store, now: () => clock.now(), elapsed: () => clock.now(), after } as Engine, true));
  for (let index = 0; index < 10_250; index++) {
    store.put(stored, `default/e${index}`, (revision) => `{"metadata":{"resourceVersion":"${revision}"}}`);
  }
  await clock.advance(1);
  expect(stored.size).toBe(10_000);
  expect(stored.get("default/e249")).toBeUndefined();
  expect(stored.get("default/e250")).toBeDefined();
  expect(clock.pending).toBe(1);
});
