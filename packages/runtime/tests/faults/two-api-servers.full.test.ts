import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newControllerManagedBy } from "../../src/builder/builder.ts";
import type { Client } from "../../src/client/client.ts";
import { rawPatch } from "../../src/client/patch.ts";
import type { Config } from "../../src/config/config.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { isConflict } from "../../src/errors/predicates.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { Manager } from "../../src/manager/manager.ts";
import { ConfigMap, eventually, Widget, widget, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { History } from "./history.ts";
import { HttpProxy } from "./http-proxy.ts";
import { directClient, type RunningOperator, startOperator } from "./operator.ts";
import { type SecondApiServer, startSecondApiServer } from "./second-api-server.ts";
import { TcpProxy } from "./tcp-proxy.ts";

// Several times longer than the three seconds for which API servers wait for their caches.
const behind = 10_000;
const busy = 60_000;

const environment = new TestEnvironment({ crds: [widgetCRD] });
let first: Config;
let second: SecondApiServer;
/** A client of the first server, which always works. */
let client: Client;
let closeClient: () => Promise<void>;

beforeAll(async () => {
  first = await environment.start();
  const direct = directClient(first);
  client = direct.client;
  closeClient = direct.close;
  second = await startSecondApiServer(environment);
});

afterAll(async () => {
  await closeClient?.();
  await second?.stop();
  await environment.stop();
});

const colors = ["red", "blue", "green", "yellow"];
const names = Array.from({ length: 20 }, (_, index) => `widget-${index}`);

const createNamespace = (name: string) => client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

async function paint(namespace: string, color: string, which: readonly string[] = names): Promise<void> {
  const patch = rawPatch("application/merge-patch+json", { spec: { color } });
  for (const name of which) await client.patch(widget(name, color, namespace), patch);
}

/** Waits until all Widgets of a namespace and their children have their colors. */
const converged = (namespace: string): Promise<void> =>
  eventually(async () => {
    const { items } = await client.list(Widget, { namespace });
    expect(items.filter(({ spec, status }) => status?.color !== spec.color)).toEqual([]);
    const maps = await client.list(ConfigMap, { namespace });
    const children = new Map(maps.items.map(({ metadata, data }) => [metadata.name, data?.color]));
    for (const { metadata, spec } of items) expect(children.get(metadata.name)).toBe(spec.color);
  }, busy);

/** Throws an error if an object's color ever went back to an earlier one. */
function expectForward(moments: readonly { name: string; color: string | undefined }[]): void {
  const last = new Map<string, number>();
  for (const { name, color = "" } of moments) {
    const now = colors.indexOf(color);
    expect(now, `${name} went back to ${color}`).toBeGreaterThanOrEqual(last.get(name) ?? 0);
    last.set(name, now);
  }
}

/** Records each color that the operator sets in a namespace, in the order of the server's versions. */
async function recordColors(namespace: string): Promise<{ stop(): Promise<void> }> {
  const children = await History.start(client, ConfigMap, namespace);
  const statuses = await History.start(client, Widget, namespace);
  return {
    async stop() {
      await children.stop();
      await statuses.stop();
      expectForward(children.moments.map(({ object }) => ({ name: object.metadata.name, color: object.data?.color })));
      const painted = statuses.moments.filter(({ object }) => object.status !== undefined);
      expectForward(painted.map(({ object }) => ({ name: object.metadata.name, color: object.status?.color })));
    },
  };
}

/** Reads an operator's cache continuously. Returns the objects whose version decreased. */
function watchCache({ manager }: RunningOperator, namespace: string): { stop(): Promise<string[]> } {
  const seen = new Map<string, bigint>();
  const wentBack: string[] = [];
  let running = true;
  const look = async (): Promise<void> => {
    for (; running; await sleep(20)) {
      const { items } = await manager.client.list(Widget, { namespace, shared: true });
      for (const { metadata } of items) {
        const version = BigInt(metadata.resourceVersion);
        if (version < (seen.get(metadata.name) ?? 0n)) wentBack.push(metadata.name);
        seen.set(metadata.name, version);
      }
    }
  };
  const looking = look();
  return {
    async stop() {
      running = false;
      await looking;
      return wentBack;
    },
  };
}

const watching = (namespace: string) => ({ cache: { defaultNamespaces: { [namespace]: {} } } });

describe("an operator with two API servers, one of which is behind", { sequential: true }, () => {
  it("uses no old object and neither undoes nor misses a change if it is moved once", async () => {
    const namespace = "moved";
    await createNamespace(namespace);
    const recorded = await recordColors(namespace);
    const balancer = await TcpProxy.start(first);
    const operator = await startOperator(balancer.config, watching(namespace));
    const cache = watchCache(operator, namespace);
    try {
      for (const name of names) await client.create(widget(name, "red", namespace));
      await converged(namespace);
      second.etcd.state = "paused";
      await paint(namespace, "blue");
      await converged(namespace);
      balancer.upstream = second.config;
      balancer.cut();
      // Waits until all events of the first server have been processed.
      await sleep(1000);
      const reconciles = operator.reconciler.reconciles.length;
      const before = balancer.connections;
      await paint(namespace, "green", names.slice(0, 10));
      await client.delete(Widget, { namespace, name: "widget-19" });
      await sleep(behind);
      // The second server only sent states that the operator knew.
      expect(operator.reconciler.reconciles.slice(reconciles)).toEqual([]);
      expect(balancer.connections - before).toBeLessThan(30);
      second.etcd.state = "whole";
      await eventually(async () => {
        const { items } = await operator.manager.client.list(Widget, { namespace });
        expect(items).toHaveLength(names.length - 1);
      }, busy);
      await converged(namespace);
      await paint(namespace, "yellow", names.slice(0, -1));
      await converged(namespace);
      expect(await cache.stop()).toEqual([]);
    } finally {
      second.etcd.state = "whole";
      await cache.stop();
      await operator.stop();
      await balancer.close();
      await recorded.stop();
    }
  });

  it("uses no old object and neither undoes nor misses a change if it is moved repeatedly", async () => {
    const namespace = "balanced";
    await createNamespace(namespace);
    const recorded = await recordColors(namespace);
    const balancer = await TcpProxy.start(first);
    const operator = await startOperator(balancer.config, watching(namespace));
    const cache = watchCache(operator, namespace);
    try {
      for (const name of names) await client.create(widget(name, "red", namespace));
      for (const color of colors.slice(1)) {
        for (const upstream of [second.config, first]) {
          second.etcd.state = upstream === first ? "whole" : "paused";
          await paint(namespace, color, upstream === first ? names.slice(0, 10) : names.slice(10));
          balancer.upstream = upstream;
          balancer.cut();
          await sleep(1500);
        }
      }
      balancer.upstream = second.config;
      balancer.cut();
      await converged(namespace);
      expect(await cache.stop()).toEqual([]);
    } finally {
      second.etcd.state = "whole";
      await cache.stop();
      await operator.stop();
      await balancer.close();
      await recorded.stop();
    }
  });

  it("reads its own writes and undoes no others if only its watches use the old server", async () => {
    const namespace = "split";
    await createNamespace(namespace);
    await client.create(widget("counted", "red", namespace));
    const counter = { namespace, name: "counter" };
    await client.create<ConfigMap>({ apiVersion: "v1", kind: "ConfigMap", metadata: counter, data: { turn: "0" } });
    const history = await History.start(client, ConfigMap, namespace);
    const proxy = await HttpProxy.start({ upstream: first });
    proxy.remembers = false;
    proxy.route = ({ isWatch }) => (isWatch ? second.config : undefined);
    const manager = await Manager.create(proxy.config, {
      metrics: { bindAddress: "0" },
      logger: silentLogger,
      ...watching(namespace),
    });
    const counts = { written: 0, conflicts: 0, others: [] as unknown[] };
    await newControllerManagedBy(manager)
      .for(Widget)
      .owns(ConfigMap)
      .complete({
        async reconcile() {
          const map = await manager.client.get(ConfigMap, counter);
          const turn = String(Number(map.data?.turn) + 1);
          await manager.client.update({ ...map, data: { ...map.data, turn } }).then(
            () => counts.written++,
            (error: unknown) => {
              if (isConflict(error)) counts.conflicts++;
              else counts.others.push(error);
            },
          );
          return { requeueAfter: 100 };
        },
      });
    const stop = new AbortController();
    const done = manager.start(stop.signal);
    try {
      await eventually(() => expect(counts.written).toBeGreaterThan(5), busy);
      second.etcd.state = "paused";
      const before = counts.written;
      await eventually(() => expect(counts.written).toBeGreaterThan(before + 20), busy);
      // No other client has written, so each read returned the last write.
      expect(counts.conflicts).toBe(0);
      await eventually(() =>
        client.patch(
          { apiVersion: "v1", kind: "ConfigMap", metadata: counter },
          rawPatch("application/merge-patch+json", { data: { note: "kept" } }),
        ),
      );
      // The operator can't know of the other write, and its own writes are rejected.
      const noted = counts.written;
      await eventually(() => expect(counts.conflicts).toBeGreaterThan(5), busy);
      expect(counts.written - noted).toBeLessThanOrEqual(1);
      second.etcd.state = "whole";
      await eventually(() => expect(counts.written).toBeGreaterThan(noted + 5), busy);
    } finally {
      second.etcd.state = "whole";
      stop.abort();
      await done;
      await proxy.close();
      await history.stop();
    }
    const { data } = await client.get(ConfigMap, counter);
    expect(data).toEqual({ turn: String(counts.written), note: "kept" });
    expect(counts.others).toEqual([]);
    const maps = history.moments.filter(({ object }) => object.metadata.name === "counter");
    const turns = maps.map(({ object }) => Number(object.data?.turn));
    expect(turns.every((turn, index) => index === 0 || turn >= turns[index - 1]!)).toBe(true);
    const kept = maps.findIndex(({ object }) => object.data?.note === "kept");
    expect(maps.slice(kept).every(({ object }) => object.data?.note === "kept")).toBe(true);
  });

  it("isn't ready and does nothing if it starts with the old server, until that has caught up", async () => {
    const namespace = "started";
    await createNamespace(namespace);
    for (const name of names) await client.create(widget(name, "red", namespace));
    // The second server has received the Widgets.
    const late = directClient(second.config);
    await eventually(async () => expect((await late.client.list(Widget, { namespace })).items).toHaveLength(20), busy);
    await late.close();
    const recorded = await recordColors(namespace);
    second.etcd.state = "paused";
    await paint(namespace, "blue");
    const before = (await client.list(Widget, { namespace })).metadata.resourceVersion;
    const starting = startOperator(second.config, watching(namespace));
    try {
      let isReady = false;
      void starting.then(() => {
        isReady = true;
      });
      await sleep(behind);
      expect(isReady).toBe(false);
      const { items } = await client.list(Widget, { namespace });
      expect(items.filter(({ metadata }) => BigInt(metadata.resourceVersion) > BigInt(before ?? ""))).toEqual([]);
      second.etcd.state = "whole";
      const { reconciler } = await starting;
      await converged(namespace);
      // The operator has never received a red Widget.
      expect(reconciler.reconciles.length).toBeLessThanOrEqual(3 * names.length);
    } finally {
      second.etcd.state = "whole";
      await (await starting).stop();
      await recorded.stop();
    }
  });

  it("continues with the other server and misses nothing if its server is partitioned and killed", async () => {
    const namespace = "partitioned";
    await createNamespace(namespace);
    const recorded = await recordColors(namespace);
    const balancer = await TcpProxy.start(second.config);
    const operator = await startOperator(balancer.config, watching(namespace));
    const cache = watchCache(operator, namespace);
    try {
      for (const name of names) await client.create(widget(name, "red", namespace));
      await converged(namespace);
      second.etcd.state = "frozen";
      // Its readiness probe fails: new connections go to the other server, and open ones stay.
      balancer.upstream = first;
      await paint(namespace, "blue");
      await client.delete(Widget, { namespace, name: "widget-19" });
      await sleep(behind);
      await paint(namespace, "green", names.slice(0, 10));
      // Its liveness probe fails.
      await second.kill();
      await eventually(async () => {
        const { items } = await operator.manager.client.list(Widget, { namespace });
        expect(items).toHaveLength(names.length - 1);
      }, busy);
      await converged(namespace);
      expect(await cache.stop()).toEqual([]);
    } finally {
      await cache.stop();
      await operator.stop();
      await balancer.close();
      await recorded.stop();
    }
  });
});
