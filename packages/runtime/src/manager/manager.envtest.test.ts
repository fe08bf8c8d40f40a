import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isNotFound } from "../errors/predicates.ts";
import { Event } from "../events/event.ts";
import { createLogger } from "../log/create-logger.ts";
import { Manager } from "./manager.ts";
import type { ManagerOptions } from "./options.ts";
import { ConfigMap, eventually, Widget, WidgetReconciler, widget, widgetCRD } from "./widget.fixture.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
let config: Config;
const running: { stop: AbortController; done: Promise<void> }[] = [];
const lines: string[] = [];
const logger = createLogger({ destination: { write: (line) => void lines.push(line) }, level: "debug" });

beforeAll(async () => {
  config = await environment.start();
});

afterAll(async () => {
  for (const { stop } of running) stop.abort();
  await Promise.allSettled(running.map(({ done }) => done));
  await environment.stop();
});

async function startOperator(options: ManagerOptions = {}) {
  const mgr = await Manager.create(config, {
    metrics: { bindAddress: "127.0.0.1:0" },
    healthProbeBindAddress: "127.0.0.1:0",
    logger,
    ...options,
  });
  const reconciler = new WidgetReconciler(mgr.client);
  await newControllerManagedBy(mgr)
    .for(Widget)
    .owns(ConfigMap)
    .withOptions({ maxConcurrentReconciles: 3 })
    .complete(reconciler);
  const stop = new AbortController();
  const done = mgr.start(stop.signal);
  done.catch(() => {});
  running.push({ stop, done });
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  return { mgr, reconciler, end, done };
}

type Operator = Awaited<ReturnType<typeof startOperator>>;

async function expectColor({ mgr }: Operator, name: string, color: string, namespace = "default"): Promise<void> {
  const map = await mgr.apiReader.get(ConfigMap, { namespace, name });
  expect(map.data).toEqual({ color });
  const owner = await mgr.apiReader.get(Widget, { namespace, name });
  expect(owner.status?.color).toBe(color);
  expect(map.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Widget", name, controller: true });
}

const probe = async (port: number | undefined, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
};

describe("an operator with a real API server", { sequential: true }, () => {
  it("reconciles objects, restores their children, and stops in order", async () => {
    const operator = await startOperator();
    const { mgr, reconciler } = operator;
    await mgr.client.create(widget("red", "red"));
    await eventually(() => expectColor(operator, "red", "red"));
    expect(reconciler.reconciles[0]?.reasons).toEqual(["create Widget"]);

    await mgr.client.delete(ConfigMap, { namespace: "default", name: "red" });
    await eventually(() => expectColor(operator, "red", "red"));
    expect(reconciler.reconciles.flatMap(({ reasons }) => reasons)).toContain("delete ConfigMap");

    expect(await probe(mgr.healthProbePort, "/healthz")).toEqual({ status: 200, text: "ok" });
    expect(await probe(mgr.healthProbePort, "/readyz")).toEqual({ status: 200, text: "ok" });
    expect((await probe(mgr.healthProbePort, "/readyz?verbose")).text).toContain("[+]informer-sync ok");
    const metrics = (await probe(mgr.metricsPort, "/metrics")).text;
    expect(metrics).toMatch(/controller_runtime_reconcile_total\{controller="widget",result="success"\} [1-9]/);
    expect(metrics).toMatch(/controller_runtime_reconcile_total\{controller="widget",result="error"\} 0/);
    expect(metrics).toMatch(/workqueue_adds_total\{name="widget",controller="widget"\} [1-9]/);
    expect(metrics).toMatch(/rest_client_requests_total\{code="201",method="POST",host="127.0.0.1:\d+"\}/);

    await operator.end();
    const log = lines.join("");
    for (const words of ["Starting EventSource", "Starting Controller", "Starting workers", "All workers finished"]) {
      expect(log).toContain(words);
    }
    expect(log).toContain('"worker count":3');
  });

  it("reads its own writes from the cache immediately: creations, updates, status and deletions", async () => {
    const operator = await startOperator();
    const { mgr } = operator;
    await mgr.cache.waitForSync(AbortSignal.timeout(10_000));
    for (let round = 0; round < 20; round++) {
      const name = `own-${round}`;
      const key = { namespace: "default", name };
      const map: ConfigMap = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...key, labels: { own: "yes" } },
        data: { n: "0" },
      };
      const created = await mgr.client.create(map);
      expect((await mgr.client.get(ConfigMap, key)).metadata.uid).toBe(created.metadata.uid);
      await mgr.client.update({ ...created, data: { n: "1" } });
      expect((await mgr.client.get(ConfigMap, key)).data).toEqual({ n: "1" });
      const { items } = await mgr.client.list(ConfigMap, { namespace: "default", labels: { own: "yes" } });
      expect(items.map((item) => item.data?.n)).toEqual(["1"]);
      await mgr.client.delete(ConfigMap, key);
      await expect(mgr.client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound);
      expect((await mgr.client.list(ConfigMap, { labels: { own: "yes" } })).items).toEqual([]);
    }
    await operator.end();
  });

  it("returns private copies from the cache, and frozen shared objects if requested", async () => {
    const operator = await startOperator();
    const { mgr } = operator;
    await eventually(() => expect(mgr.cache.hasSynced).toBe(true));
    const key = { namespace: "default", name: "red" };
    const copy = await mgr.client.get(Widget, key);
    copy.spec.color = "changed";
    expect((await mgr.client.get(Widget, key)).spec.color).toBe("red");
    expect(copy.metadata.managedFields).toBeUndefined();
    const shared = await mgr.client.get(Widget, key, { shared: true });
    expect(await mgr.client.get(Widget, key, { shared: true })).toBe(shared);
    expect(() => {
      shared.spec.color = "changed";
    }).toThrow(TypeError);
    await operator.end();
  });

  fullTest("recovers from an API server that is killed for five seconds, and misses nothing", async () => {
    const operator = await startOperator();
    const { mgr, reconciler } = operator;
    await mgr.client.create(widget("survivor", "green"));
    await eventually(() => expectColor(operator, "survivor", "green"));
    await environment.killApiServer();
    await sleep(5000);
    await environment.startApiServer();
    await eventually(async () => {
      const stored = await mgr.apiReader.get(Widget, { namespace: "default", name: "survivor" });
      await mgr.client.update({ ...stored, spec: { color: "blue" } });
    });
    await eventually(() => expectColor(operator, "survivor", "blue"));
    expect(reconciler.reconciles.at(-1)?.name).toBe("survivor");
    await operator.end();
  });

  it("runs with a second manager in the same process, each with its own metrics and names", async () => {
    const first = await startOperator();
    const second = await startOperator();
    await first.mgr.client.create(widget("shared", "white"));
    await eventually(() => expectColor(second, "shared", "white"));
    expect(first.mgr.metricsPort).not.toBe(second.mgr.metricsPort);
    await first.end();
    await second.mgr.client.create(widget("alone", "black"));
    await eventually(() => expectColor(second, "alone", "black"));
    await second.end();
  });

  it("M7, M8, M12: becomes the leader, and the other one takes over when the lease is released", async () => {
    const election: ManagerOptions = {
      leaderElection: true,
      leaderElectionID: "widgets.kubewright.dev",
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: true,
      leaseDuration: 4000,
      renewDeadline: 3000,
      retryPeriod: 500,
    };
    const first = await startOperator(election);
    await first.mgr.elected;
    const second = await startOperator(election);
    let isSecondElected = false;
    void second.mgr.elected.then(() => {
      isSecondElected = true;
    });
    const led = await first.mgr.client.create(widget("led", "red"));
    await eventually(() => expectColor(first, "led", "red"));
    expect(isSecondElected).toBe(false);
    expect(second.reconciler.reconciles).toEqual([]);
    // The last events are written before the lease is released, because a process without it writes nothing.
    first.mgr.recorder("widgets").event(led, "Normal", "Last", "written at the end");
    await first.end();
    const { items } = await second.mgr.apiReader.list(Event, { namespace: led.metadata.namespace });
    expect(items.map(({ reason }) => reason)).toContain("Last");
    await second.mgr.elected;
    await second.mgr.client.create(widget("led-again", "red"));
    await eventually(() => expectColor(second, "led-again", "red"));
    await second.end();
  });

  fullTest("C3: reports why a kind can't be watched", async () => {
    const mgr = await Manager.create(config, {
      metrics: { bindAddress: "0" },
      logger,
      // Long enough for the first request on a busy machine, since the reason is known only after it.
      controller: { cacheSyncTimeout: 15_000 },
    });
    const Missing = { ...Widget, kind: "Missing" } as typeof Widget;
    await newControllerManagedBy(mgr)
      .for(Missing)
      .complete({ reconcile: async () => {} });
    await expect(mgr.start(new AbortController().signal)).rejects.toThrow(
      /kind source: Missing.*no matches for kind "Missing"/,
    );
  });
});
