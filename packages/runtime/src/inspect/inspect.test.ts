import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { systemClock } from "../clock/clock.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { PriorityQueue } from "../queue/priority-queue.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import { masked } from "../secrets/masked.ts";
import type { Transport } from "../transport/transport.ts";
import { changedPaths } from "./changed-paths.ts";
import { InspectedQueue } from "./inspected-queue.ts";
import { Inspector } from "./inspector.ts";
import { maskSecret } from "./mask.ts";
import { ObjectTracker } from "./object-tracker.ts";
import { requestInfo, writeVerb } from "./request-info.ts";
import { sourcePosition } from "./source-position.ts";
import { yamlDiff } from "./yaml-diff.ts";

const transport: Transport = {
  request: () => Promise.reject(new Error("no server")),
  stream: () => Promise.reject(new Error("no server")),
  close: async () => {},
};
const options = { transport, logger: silentLogger, metrics: { bindAddress: "0" } };
const config = { host: "http://127.0.0.1:1" };
const Game = groupVersion("game.example.com", "v1").kind<KubernetesObject>("Game");

describe("the option inspect", () => {
  it("adds no logger, hooks or server to the manager if it is unset", async () => {
    const mgr = await Manager.create(config, options);
    expect(mgr.inspector).toBeUndefined();
    expect(mgr.inspectController("game", Game)).toBeUndefined();
    expect(mgr.logger).toBe(silentLogger);
    expect(mgr.inspectPort).toBeUndefined();
  });

  it("adds a logger that records if it is set", async () => {
    const mgr = await Manager.create(config, { ...options, inspect: true });
    expect(mgr.inspector).toBeInstanceOf(Inspector);
    expect(mgr.logger).not.toBe(silentLogger);
  });

  it.each(["0.0.0.0:1", "192.0.2.1:80", "example.com:80", "[::]:80"])("rejects the address %s", async (bindAddress) => {
    await expect(Manager.create(config, { ...options, inspect: { bindAddress } })).rejects.toThrow(
      "loopback interface",
    );
  });
});

describe("the recorded data", () => {
  it("is limited by the size of objects, and drops the oldest states", () => {
    const tracker = new ObjectTracker(100_000);
    const object = (name: string, resourceVersion: string): KubernetesObject =>
      ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "default", name, resourceVersion },
        data: { text: "x".repeat(1000) },
      }) as KubernetesObject;
    for (let index = 0; index < 1000; index++) tracker.saw(object(`map-${index}`, String(index + 1)));
    expect(tracker.size).toBeLessThanOrEqual(100_000);
    expect(tracker.count).toBeLessThan(100);
    expect(tracker.last(object("map-999", ""))).toBeDefined();
    expect(tracker.last(object("map-0", ""))).toBeUndefined();
    for (let index = 0; index < 1000; index++) tracker.deleted(object(`map-${index}`, ""));
    expect([tracker.size, tracker.count]).toEqual([0, 0]);
  });

  it("contains the latest messages of errors, not the first ones", async () => {
    const inspector = new Inspector(systemClock);
    const hooks = inspector.controller<Request>("game", Game);
    const context = { log: silentLogger, signal: new AbortController().signal, reconcileID: "", reasons: [] };
    for (let index = 0; index < 30; index++) {
      for (const message of ["always", `once ${index}`]) {
        const run = hooks.run(context, { namespace: "", name: "g" }, () => Promise.reject(new Error(message)));
        await expect(run).rejects.toThrow(message);
      }
    }
    const errors = inspector.controllers()[0]?.errorsByMessage ?? [];
    expect(errors).toHaveLength(20);
    expect(errors[0]).toEqual({ message: "always", count: 30 });
    expect(errors).toContainEqual({ message: "once 29", count: 1 });
  });

  it("is limited to the latest reconciles, and to a number of log lines per reconcile", async () => {
    const inspector = new Inspector(systemClock, { reconciles: 10 });
    const controller = inspector.controller<Request>("game", Game);
    const log = inspector.logger(silentLogger);
    const context = { log, signal: new AbortController().signal, reasons: [] };
    for (let index = 0; index < 25; index++) {
      await controller.run(
        { ...context, reconcileID: String(index) },
        { namespace: "default", name: "chess" },
        async () => {
          for (let line = 0; line < 300; line++) log.info("line", { line });
          return undefined;
        },
      );
    }
    const records = inspector.reconciles({ limit: 100 });
    expect(records.map(({ id }) => id)).toEqual(["24", "23", "22", "21", "20", "19", "18", "17", "16", "15"]);
    expect(records[0]).toMatchObject({ dropped: 100 });
    expect(records[0]?.logs).toHaveLength(200);
  });

  it("excludes log lines of code that continues after its reconcile", async () => {
    const inspector = new Inspector(systemClock);
    const controller = inspector.controller<Request>("game", Game);
    const log = inspector.logger(silentLogger);
    let later: Promise<void> | undefined;
    const context = { log, signal: new AbortController().signal, reasons: [], reconcileID: "1" };
    await controller.run(context, { namespace: "", name: "chess" }, async () => {
      later = new Promise((resolve) => setTimeout(resolve, 5)).then(() => log.info("late"));
      return undefined;
    });
    await later;
    expect(inspector.reconciles()[0]?.logs).toEqual([]);
  });

  it("separates the log lines of simultaneous reconciles", async () => {
    const inspector = new Inspector(systemClock);
    const controller = inspector.controller<Request>("game", Game);
    const log = inspector.logger(silentLogger);
    const reconcile = (name: string) =>
      controller.run(
        { log, signal: new AbortController().signal, reasons: [], reconcileID: name },
        { namespace: "", name },
        async () => {
          for (let line = 0; line < 3; line++) {
            await new Promise((resolve) => setImmediate(resolve));
            log.info(name);
          }
          return undefined;
        },
      );
    await Promise.all([reconcile("a"), reconcile("b")]);
    for (const { id, logs } of inspector.reconciles()) expect(logs.map(({ message }) => message)).toEqual([id, id, id]);
  });
});

describe("kinds of the same name in two groups", () => {
  const other = groupVersion("chess.example.com", "v1beta1").kind<KubernetesObject>("Game");

  const setUp = async () => {
    const inspector = new Inspector(systemClock);
    const context = { log: silentLogger, signal: new AbortController().signal, reasons: [] };
    const request = { namespace: "default", name: "chess" };
    for (const [name, kind] of [
      ["first", Game],
      ["second", other],
    ] as const) {
      const controller = inspector.controller<Request>(name, kind);
      controller.queue(new PriorityQueue<Request>({ keyOf: requestKey, clock: systemClock }), 1);
      await controller.run({ ...context, reconcileID: name }, request, async () => undefined);
    }
    return { inspector, request };
  };

  it("records have their group, and are selected by it", async () => {
    const { inspector } = await setUp();
    const named = (apiVersion?: string) =>
      inspector.reconciles({ kind: "game", name: "chess", apiVersion }).map(({ controller }) => controller);
    expect(inspector.reconciles().map(({ object }) => object.apiVersion)).toEqual([
      "chess.example.com/v1beta1",
      "game.example.com/v1",
    ]);
    expect(named()).toEqual(["second", "first"]);
    expect(named("game.example.com/v1")).toEqual(["first"]);
    // An object has the same identity in each version.
    expect(named("chess.example.com/v1")).toEqual(["second"]);
    expect(named("v1")).toEqual([]);
    expect(inspector.controllers().map(({ apiVersion }) => apiVersion)).toEqual([
      "game.example.com/v1",
      "chess.example.com/v1beta1",
    ]);
  });

  it("only the controllers of the group reconcile on request", async () => {
    const { inspector, request } = await setUp();
    expect(inspector.reconcileNow({ ...request, kind: "Game" })).toEqual(["first", "second"]);
    expect(inspector.reconcileNow({ ...request, kind: "Game", apiVersion: other.apiVersion })).toEqual(["second"]);
    expect(inspector.reconcileNow({ ...request, kind: "Game", apiVersion: "apps/v1" })).toEqual([]);
  });
});

describe("InspectedQueue", () => {
  const setUp = () => {
    const inner = new PriorityQueue<Request>({ keyOf: requestKey });
    return { inner, queue: new InspectedQueue(inner, systemClock) };
  };
  const item = { namespace: "default", name: "chess" };
  const time = "2026-01-01T00:00:00.000Z";

  it("keeps all reasons of an item, even if the wrapped queue combines them", async () => {
    const { queue } = setUp();
    const reason = (resourceVersion: string) => ({
      type: "update" as const,
      kind: "Game",
      name: "chess",
      resourceVersion,
      time,
    });
    for (const version of ["1", "2"]) {
      queue.addExplained(item, { reason: { type: "update", kind: "Game", name: "chess" } }, reason(version));
    }
    const next = await queue.get();
    expect(next?.reasons).toEqual([{ type: "update", kind: "Game", name: "chess" }]);
    expect(queue.reasonsOf(item).map(({ resourceVersion }) => resourceVersion)).toEqual(["1", "2"]);
    queue.done(item);
    expect(queue.reasonsOf(item)).toEqual([]);
  });

  it("returns no items while it is paused, but ends on shutdown", async () => {
    const { queue } = setUp();
    queue.pause(true);
    queue.add(item);
    let taken = false;
    const next = queue.get().then((request) => {
      taken = true;
      return request;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(taken).toBe(false);
    queue.pause(false);
    expect((await next)?.item).toEqual(item);
    queue.pause(true);
    const last = queue.get();
    queue.shutDown();
    expect(await last).toBeUndefined();
  });

  it("records the requested delay, although time passes while the item is added", async () => {
    let time = 0;
    const clock = { ...systemClock, now: () => (time += 20) };
    const queue = new InspectedQueue(new PriorityQueue<Request>({ keyOf: requestKey, clock }), clock);
    queue.addExplained(item, { after: 60 }, { type: "requeue", kind: "Game", name: "chess", time: "" });
    await queue.get();
    expect(queue.reasonsOf(item)).toMatchObject([{ type: "requeue", after: 60 }]);
    queue.shutDown();
  });

  it("lists delayed items with their time and number of failures", async () => {
    const { queue } = setUp();
    const before = Date.now();
    queue.add(item, { after: 60_000, reason: { type: "requeue" } });
    const [delayed] = queue.status().delayed;
    expect(delayed).toMatchObject({ key: "default/chess", attempts: 0 });
    const at = Date.parse(delayed?.at ?? "") - 60_000;
    expect([before - 1 <= at, at <= Date.now() + 1]).toEqual([true, true]);
    queue.shutDown();
  });
});

describe("the changes between two states", () => {
  it("contain the paths of the different fields", () => {
    const before = {
      metadata: { resourceVersion: "1", labels: { a: "1" } },
      spec: { replicas: 1, items: [{ x: 1 }, { x: 2 }] },
    };
    const after = {
      metadata: { resourceVersion: "2", labels: { b: "1" } },
      spec: { replicas: 2, items: [{ x: 1 }, { x: 3 }] },
    };
    expect(changedPaths(before, after)).toEqual([
      "metadata.labels.a",
      "metadata.labels.b",
      "spec.replicas",
      "spec.items[1].x",
    ]);
    expect(changedPaths({ list: [1] }, { list: [1, 2] })).toEqual(["list"]);
    expect(changedPaths(before, before)).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index]));
    expect(changedPaths({}, many)).toHaveLength(20);
  });
});

describe("the masking of Secrets", () => {
  const secret = (data: Record<string, string>, annotations?: Record<string, string>): KubernetesObject =>
    ({ apiVersion: "v1", kind: "Secret", metadata: { name: "s", annotations }, data }) as KubernetesObject;

  it("shows only keys, and which values changed", () => {
    const applied = { "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"a":"b2xk"}}' };
    const [before, after] = [
      secret({ a: "b2xk", b: "c2FtZQ==" }, applied),
      secret({ a: "bmV3", b: "c2FtZQ==" }, applied),
    ];
    const diff = yamlDiff(before, after);
    expect(diff).toContain("-  a: (hidden)\n+  a: (hidden, changed)\n   b: (hidden)");
    for (const value of ["b2xk", "bmV3", "c2FtZQ=="]) expect(diff).not.toContain(value);
    expect(maskSecret(secret({ a: "b2xk" }))).toMatchObject({ data: { a: masked } });
    const malformed = { ...secret({}), data: "b2xk" } as unknown as KubernetesObject;
    expect(JSON.stringify(maskSecret(malformed))).not.toContain("b2xk");
  });

  it("doesn't change other kinds", () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "b" } } as KubernetesObject;
    expect(maskSecret(map)).toBe(map);
  });
});

describe("requestInfo and writeVerb", () => {
  it("parse the path and the method of a request", () => {
    expect(requestInfo("/apis/apps/v1/namespaces/default/deployments/web/status")).toEqual({
      group: "apps",
      version: "v1",
      namespace: "default",
      plural: "deployments",
      name: "web",
      subresource: "status",
    });
    expect(requestInfo("/api/v1/namespaces/default")).toMatchObject({
      plural: "namespaces",
      name: "default",
      namespace: "",
    });
    expect(requestInfo("/api/v1/namespaces/default/status")).toMatchObject({
      plural: "namespaces",
      subresource: "status",
    });
    expect(requestInfo("/api/v1/namespaces/default/pods")).toMatchObject({ plural: "pods", name: "" });
    expect(requestInfo("/version")).toBeUndefined();
    const write = (method: "POST" | "PUT" | "PATCH" | "DELETE", contentType?: string) =>
      writeVerb({ method, path: "", contentType });
    expect([write("POST"), write("PUT"), write("DELETE")]).toEqual(["create", "update", "delete"]);
    expect(write("PATCH", "application/apply-patch+yaml")).toBe("apply");
    expect(write("PATCH", "application/merge-patch+json")).toBe("patch");
  });
});

describe("sourcePosition", () => {
  it("returns the position of the first frame in the project", () => {
    const stack = [
      "ApiError: conflict",
      "    at request (file:///app/node_modules/@kubewright/runtime/dist/index.js:1:2)",
      "    at node:internal/process/task_queues:95:5",
      "    at async GameReconciler.reconcile (src/controller/game-controller.ts:31:13)",
    ].join("\n");
    expect(sourcePosition(stack, "/app")).toEqual({ file: "src/controller/game-controller.ts", line: 31, column: 13 });
    expect(sourcePosition("Error: x\n    at f (file:///app/dist/main.js:3:4)", "/app")).toEqual({
      file: "dist/main.js",
      line: 3,
      column: 4,
    });
    expect(sourcePosition("Error: x", "/app")).toBeUndefined();
  });
});
