import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { mergeFrom } from "../client/patch.ts";
import type { Config } from "../config/config.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { TestEnvironment } from "../envtest/index.ts";
import type { GenericEvent } from "../handler/events.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { enqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { ConfigMap, eventually, Secret, type SecretObject, Widget, widgetCRD } from "../manager/widget.fixture.ts";
import { generationChangedPredicate } from "../predicate/changed.ts";
import type { Context } from "../reconcile/context.ts";
import type { Result } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import { TerminalError } from "../reconcile/terminal-error.ts";
import type { ReconcileRecord } from "../session/records.ts";
import { channelSource } from "../source/channel-source.ts";
import type { Inspector } from "./inspector.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
let config: Config;
let mgr: Manager;
let inspector: Inspector;
const stop = new AbortController();
let done: Promise<void>;

type Step = (ctx: Context, request: Request) => Promise<Result | undefined>;
/** The reconcile function of each test, by the name of its Widget. */
const steps = new Map<string, Step>();
let emit: (event: GenericEvent) => void = () => {};

async function* channel(): AsyncGenerator<GenericEvent> {
  for (;;) {
    yield await new Promise<GenericEvent>((resolve) => {
      emit = resolve;
    });
  }
}

beforeAll(async () => {
  config = await environment.start();
  mgr = await Manager.create(config, {
    metrics: { bindAddress: "0" },
    logger: silentLogger,
    inspect: { bindAddress: "127.0.0.1:0", token: "token-of-this-test" },
    cache: { byObject: [{ object: ConfigMap, syncPeriod: 3_600_000 }] },
  });
  await newControllerManagedBy(mgr)
    .for(Widget, { predicates: [generationChangedPredicate] })
    .owns(ConfigMap)
    .watches(
      Secret,
      enqueueRequestsFromMapFunc((_ctx, { metadata }) =>
        metadata?.labels?.widget ? [{ namespace: metadata.namespace, name: metadata.labels.widget }] : [],
      ),
    )
    .watchesRawSource(channelSource(channel(), enqueueRequestForObject()))
    .complete({
      reconcile: async (ctx, request) => (await steps.get(request.name)?.(ctx, request)) ?? {},
    });
  inspector = mgr.inspector!;
  done = mgr.start(stop.signal);
  done.catch(() => {});
  await mgr.cache.waitForSync(stop.signal);
});

afterAll(async () => {
  stop.abort();
  await done;
  await environment.stop();
});

beforeEach(() => inspector.faults.clear());

const namespace = "default";
const of = (name: string, limit = 20): ReconcileRecord[] =>
  inspector.reconciles({ kind: "widget", namespace, name, limit });

/** Waits for the given number of reconciles of a Widget, and returns the latest record. */
async function reconciled(name: string, count: number): Promise<ReconcileRecord> {
  await eventually(() => expect(of(name).length).toBeGreaterThanOrEqual(count));
  return of(name)[0]!;
}

const create = (name: string, step: Step, color = "red") => {
  steps.set(name, step);
  return mgr.client.create(Widget, { metadata: { namespace, name }, spec: { color } });
};

/** Writes a ConfigMap with the color of the Widget, and sets the status of the Widget. */
const colorStep: Step = async (ctx, { name }) => {
  const widget = await mgr.client.get(Widget, { namespace, name });
  ctx.log.info("Coloring", { color: widget.spec.color });
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name },
    data: {} as Record<string, string>,
  };
  await createOrUpdate(mgr.client, map, () => {
    map.data = { color: widget.spec.color };
    setControllerReference(widget, map);
  });
  if (widget.status?.color !== widget.spec.color) {
    await mgr.client.status.update({ ...widget, status: { color: widget.spec.color } });
  }
  return {};
};

describe("the record of a reconcile", () => {
  it("contains the reads, writes and log lines for a created object", async () => {
    await create("w1", colorStep);
    await reconciled("w1", 1);
    const [first] = of("w1").toReversed();
    expect(first).toMatchObject({
      controller: "widget",
      object: { kind: "Widget", namespace, name: "w1" },
      reasons: [{ type: "create", kind: "Widget", namespace, name: "w1", via: "for" }],
      logs: [{ level: "info", message: "Coloring", fields: { color: "red" } }],
      result: { requeueAfter: 0 },
      error: null,
    });
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.reads[0]).toMatchObject({ verb: "get", kind: "Widget", name: "w1", from: "cache" });
    expect(first?.reads[0]?.resourceVersion).toMatch(/^\d+$/);
    expect(first?.writes.map(({ verb, kind, subresource }) => [verb, kind, subresource])).toEqual([
      ["create", "ConfigMap", undefined],
      ["update", "Widget", "status"],
    ]);
    expect(first?.writes[0]?.diff).toContain("+  color: red");
    expect(first?.writes[1]?.diff).toMatch(/^\+status:\n\+ {2}color: red$/m);
  });

  it("contains the ID of the reconcile that wrote the child, for an own write", async () => {
    await create("w2", colorStep);
    const second = await reconciled("w2", 2);
    const [first] = of("w2").toReversed();
    expect(second.reasons).toMatchObject([
      { type: "create", kind: "ConfigMap", name: "w2", via: "owns", reconcile: first!.id },
    ]);
    expect(second.writes).toEqual([]);
  });

  it("contains the field manager and the paths, for a child that another client changed", async () => {
    await create("w3", colorStep);
    await reconciled("w3", 2);
    await mgr.apiReader.get(ConfigMap, { namespace, name: "w3" });
    const map = await mgr.client.get(ConfigMap, { namespace, name: "w3" });
    const changed = structuredClone(map);
    changed.data = { color: "green" };
    await mgr.client.patch(changed, mergeFrom(map), { fieldOwner: "a-person" });
    await eventually(() =>
      expect(of("w3")[0]?.reasons.concat(of("w3")[1]?.reasons ?? [])).toContainEqual(
        expect.objectContaining({
          type: "update",
          kind: "ConfigMap",
          via: "owns",
          by: "a-person",
          changed: ["data.color"],
        }),
      ),
    );
    const repair = of("w3").find(({ reasons }) => reasons.some(({ by }) => by === "a-person"));
    expect(repair?.writes[0]?.diff).toMatch(/^- {2}color: green\n\+ {2}color: red$/m);
  });

  it("contains the deletion of a child by another client", async () => {
    await create("w4", colorStep);
    await reconciled("w4", 2);
    await mgr.client.delete(ConfigMap, { namespace, name: "w4" });
    await eventually(() =>
      expect(of("w4").flatMap(({ reasons }) => reasons)).toContainEqual(
        expect.objectContaining({ type: "delete", kind: "ConfigMap", name: "w4", via: "owns" }),
      ),
    );
    const record = of("w4").find(({ reasons }) => reasons.some(({ type }) => type === "delete"));
    expect(record?.writes).toMatchObject([{ verb: "create", kind: "ConfigMap", name: "w4" }]);
  });

  it("contains the path of a changed spec, and isn't created for an ignored status", async () => {
    const widget = await create("w5", colorStep);
    await reconciled("w5", 2);
    await sleep(1000);
    const count = of("w5").length;
    const current = await mgr.client.get(Widget, { namespace, name: "w5" });
    await mgr.client.status.patch({ ...current, status: { color: "blue" } }, mergeFrom(current));
    await sleep(150);
    expect(of("w5").length).toBe(count);
    const now = await mgr.client.get(Widget, { namespace, name: "w5" });
    await mgr.client.update({ ...now, spec: { color: "blue" } }, { fieldOwner: "editor" });
    const record = await reconciled("w5", count + 1);
    expect(of("w5").flatMap(({ reasons }) => reasons)).toContainEqual(
      expect.objectContaining({ type: "update", kind: "Widget", via: "for", by: "editor", changed: ["spec.color"] }),
    );
    expect(record.object.name).toBe(widget.metadata.name);
  });

  it("contains the delay of requeueAfter", async () => {
    let calls = 0;
    await create("w6", async () => (++calls === 1 ? { requeueAfter: 60 } : {}));
    const second = await reconciled("w6", 2);
    expect(second.reasons).toMatchObject([{ type: "requeue", after: 60 }]);
    expect(of("w6")[1]?.result).toEqual({ requeueAfter: 60 });
  });

  it("contains only the change if that comes before requeueAfter", async () => {
    await create("w7", async () => ({ requeueAfter: 3_600_000 }));
    await reconciled("w7", 1);
    await eventually(() =>
      expect(inspector.queues()[0]?.delayed).toContainEqual(
        expect.objectContaining({ key: "default/w7", attempts: 0 }),
      ),
    );
    const widget = await mgr.client.get(Widget, { namespace, name: "w7" });
    await mgr.client.update({ ...widget, spec: { color: "blue" } });
    const second = await reconciled("w7", 2);
    expect(second.reasons.map(({ type }) => type)).toEqual(["update"]);
  });

  it("contains the error, its back-off, and its position in the source", async () => {
    let calls = 0;
    await create("w8", async () => {
      if (++calls < 3) throw new Error("no color is left");
      return {};
    });
    const third = await reconciled("w8", 3);
    expect(third.reasons).toMatchObject([{ type: "retry", attempts: 2 }]);
    expect(third.reasons[0]?.after).toBeGreaterThan(0);
    const failed = of("w8")[1];
    expect(failed?.error).toMatchObject({ message: "no color is left", line: expect.any(Number) });
    expect(failed?.error?.file).toContain("inspect.envtest.test.ts");
  });

  it("marks a terminal error", async () => {
    await create("w9", async () => {
      throw new TerminalError(new Error("the color doesn't exist"));
    });
    const record = await reconciled("w9", 1);
    expect(record.error).toMatchObject({ terminal: true, message: expect.stringContaining("the color doesn't exist") });
  });

  it("contains the object that a map function received", async () => {
    await create("w10", async () => ({}));
    await reconciled("w10", 1);
    await mgr.client.create(Secret, {
      metadata: { namespace, name: "w10-secret", labels: { widget: "w10" } },
      stringData: { password: "hunter2" },
    });
    const record = await reconciled("w10", 2);
    expect(record.reasons).toMatchObject([{ type: "create", kind: "Secret", name: "w10-secret", via: "watches" }]);
  });

  it("contains the event of a channel", async () => {
    await create("w11", async () => ({}));
    await reconciled("w11", 1);
    emit({ object: { apiVersion: Widget.apiVersion, kind: "Widget", metadata: { namespace, name: "w11" } } });
    const record = await reconciled("w11", 2);
    expect(record.reasons).toMatchObject([{ type: "channel", kind: "Widget", name: "w11" }]);
  });

  it("marks a reconcile that a user requested", async () => {
    await create("w12", async () => ({}));
    await reconciled("w12", 1);
    expect(inspector.reconcileNow({ kind: "Widget", namespace, name: "w12" })).toEqual(["widget"]);
    const record = await reconciled("w12", 2);
    expect(record.reasons).toMatchObject([{ type: "generic", manual: true, name: "w12" }]);
  });

  it("contains the deletion of the object", async () => {
    await create("w13", async () => ({}));
    await reconciled("w13", 1);
    await mgr.client.delete(Widget, { namespace, name: "w13" });
    const record = await reconciled("w13", 2);
    expect(record.reasons).toMatchObject([{ type: "delete", kind: "Widget", name: "w13", via: "for" }]);
  });

  it("contains reads from the server, and failed reads", async () => {
    await create("w14", async (_ctx, { name }) => {
      await mgr.apiReader.get(Widget, { namespace, name });
      const Pod = groupVersion("", "v1").kind("Pod");
      await mgr.client.list(Pod, { namespace });
      await mgr.client.get(ConfigMap, { namespace, name: "absent" }).catch(() => {});
      return {};
    });
    const { reads } = await reconciled("w14", 1);
    expect(reads.map(({ verb, kind, from }) => [verb, kind, from])).toEqual([
      ["get", "Widget", "server"],
      ["list", "Pod", "server"],
      ["get", "ConfigMap", "cache"],
    ]);
    expect(reads[2]?.error).toContain("not found");
  });

  it("contains an injected conflict, and is followed by a retry", async () => {
    await create("w15", colorStep);
    await reconciled("w15", 2);
    inspector.faults.inject({ fault: "conflict", kind: "ConfigMap" });
    const widget = await mgr.client.get(Widget, { namespace, name: "w15" });
    await mgr.client.update({ ...widget, spec: { color: "blue" } });
    await eventually(() => expect(of("w15").some(({ error }) => error !== null)).toBe(true));
    const failed = of("w15").find(({ error }) => error !== null);
    expect(failed?.error?.message).toContain("the object has been modified");
    expect(failed?.writes[0]).toMatchObject({ verb: "update", kind: "ConfigMap", diff: "" });
    expect(failed?.writes[0]?.error).toContain("the object has been modified");
    expect(inspector.faults.active()).toEqual([]);
    await eventually(() => expect(of("w15")[0]?.error).toBeNull());
  });

  it("is created after a pause ends", async () => {
    await create("w16", async () => ({}));
    await reconciled("w16", 1);
    inspector.pause(true);
    try {
      inspector.reconcileNow({ kind: "Widget", namespace, name: "w16" });
      await sleep(100);
      expect(of("w16").length).toBe(1);
    } finally {
      inspector.pause(false);
    }
    await reconciled("w16", 2);
  });

  it("is created for a change that occurs while the watch is cut", async () => {
    await create("w17", async () => ({}));
    await reconciled("w17", 1);
    const before = inspector.caches().find(({ kind }) => kind === "Widget")!.watches;
    inspector.faults.inject({ fault: "watch-cut" });
    const widget = await mgr.apiReader.get(Widget, { namespace, name: "w17" });
    await mgr.client.update({ ...widget, spec: { color: "blue" } });
    const record = await reconciled("w17", 2);
    expect(record.reasons).toMatchObject([{ type: "update", changed: ["spec.color"] }]);
    await eventually(() =>
      expect(inspector.caches().find(({ kind }) => kind === "Widget")!.watches).toBeGreaterThan(before),
    );
  });
});

describe("the record of a Secret", () => {
  it("marks changed values, but doesn't contain them", async () => {
    await create("s1", async (_ctx, { name }) => {
      const secret: SecretObject = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name } };
      await createOrUpdate(mgr.client, secret, () => {
        secret.data = { password: Buffer.from(`topsecret-${Math.random()}`).toString("base64") };
      });
      return {};
    });
    await reconciled("s1", 1);
    inspector.reconcileNow({ kind: "Widget", namespace, name: "s1" });
    await reconciled("s1", 2);
    const text = JSON.stringify(of("s1"));
    expect(text).not.toContain(Buffer.from("topsecret").toString("base64").slice(0, 10));
    const [second, first] = of("s1");
    expect(first?.writes[0]?.diff).toContain("+  password: (hidden)");
    expect(second?.writes[0]?.diff).toMatch(/^- {2}password: \(hidden\)\n\+ {2}password: \(hidden, changed\)$/m);
  });
});

describe("the server for records", () => {
  const bearer = { authorization: "Bearer token-of-this-test" };
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const sent = request(
        { host: "127.0.0.1", port: mgr.inspectPort, path, headers: { ...bearer, ...headers }, method, agent: false },
        (response) => {
          let body = "";
          response.on("data", (chunk) => (body += chunk));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        },
      );
      sent.on("error", reject).end();
    });

  it("responds on the loopback interface", async () => {
    await create("p1", async () => ({}));
    await reconciled("p1", 1);
    const { status, body } = await get("/api/why?kind=Widget&namespace=default&name=p1");
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ reconciles: [{ object: { name: "p1" } }] });
    expect(JSON.parse((await get("/api/caches")).body).caches.length).toBeGreaterThan(1);
  });

  it("rejects other host names (DNS rebinding), requests of web pages, and writes", async () => {
    expect((await get("/api/queue", { host: "evil.example:8082" })).status).toBe(421);
    expect((await get("/api/queue", { origin: "http://evil.example" })).status).toBe(403);
    expect((await get("/api/queue", {}, "POST")).status).toBe(405);
  });

  it("rejects other interfaces", async () => {
    await expect(Manager.create(config, { inspect: { bindAddress: "0.0.0.0:0" } })).rejects.toThrow(
      'invalid inspect address "0.0.0.0:0": it must be on the loopback interface',
    );
  });
});
