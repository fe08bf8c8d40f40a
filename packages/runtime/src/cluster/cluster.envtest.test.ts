import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client } from "../client/client.ts";
import type { Config } from "../config/config.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { Event } from "../events/event.ts";
import { enqueueRequestForObject } from "../handler/for-object.ts";
import { inCluster } from "../handler/in-cluster.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import type { ManagerOptions } from "../manager/options.ts";
import { ConfigMap, eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import type { Context } from "../reconcile/context.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import { kindSource } from "../source/kind-source.ts";
import { Cluster } from "./cluster.ts";

const east = new TestEnvironment({ crds: [widgetCRD] });
const west = new TestEnvironment({ crds: [widgetCRD] });
let eastConfig: Config;
let westConfig: Config;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [eastConfig, westConfig] = await Promise.all([east.start(), west.start()]);
});

afterAll(async () => {
  await Promise.allSettled(stops.map((stop) => stop()));
  await Promise.all([east.stop(), west.stop()]);
});

const options: ManagerOptions = {
  metrics: { bindAddress: "127.0.0.1:0" },
  healthProbeBindAddress: "127.0.0.1:0",
  logger: silentLogger,
};

function run(mgr: Manager): () => Promise<unknown> {
  const stop = new AbortController();
  const done = mgr.start(stop.signal);
  done.catch(() => {});
  const end = async () => {
    stop.abort();
    await done;
  };
  stops.push(end);
  return end;
}

const probe = async (port: number | undefined, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

/** Copies the widgets of all clusters to ConfigMaps of the manager's cluster. */
class Mirror implements Reconciler {
  readonly #clusters: ReadonlyMap<string | undefined, Pick<Cluster, "client" | "recorder">>;
  readonly #home: Client;

  constructor(mgr: Manager, west: Cluster) {
    this.#clusters = new Map<string | undefined, Pick<Cluster, "client" | "recorder">>([
      [undefined, mgr],
      ["west", west],
    ]);
    this.#home = mgr.client;
  }

  async reconcile(_ctx: Context, { cluster, namespace, name }: Request): Promise<void> {
    const from = this.#clusters.get(cluster);
    const widget = from && (await ignoreNotFound(from.client.get(Widget, { namespace, name })));
    if (!widget) return;
    const metadata = { namespace, name: `${cluster ?? "home"}-${name}` };
    const copy: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
    await createOrUpdate(this.#home, copy, (map) => {
      map.data = { color: widget.spec.color };
    });
    from.recorder("mirror").event(widget, "Normal", "Mirrored", `to ${metadata.name}`);
  }
}

describe("an operator for two clusters", { sequential: true }, () => {
  it("reconciles the objects of both, and distinguishes objects of the same name", async () => {
    const mgr = await Manager.create(eastConfig, options);
    const other = await Cluster.create(westConfig, { logger: silentLogger });
    await mgr.add(other);
    const mirror = new Mirror(mgr, other);
    const requests: Request[] = [];
    await newControllerManagedBy(mgr)
      .for(Widget)
      .watchesRawSource(kindSource(other.cache, Widget, inCluster("west", enqueueRequestForObject())))
      .complete({
        reconcile: (ctx, request) => {
          requests.push(request);
          return mirror.reconcile(ctx, request);
        },
      });
    const end = run(mgr);
    await mgr.client.create(widget("one", "red"));
    await other.client.create(widget("one", "blue"));
    const color = async (name: string) => (await mgr.apiReader.get(ConfigMap, { namespace: "default", name })).data;
    await eventually(async () => {
      expect([await color("home-one"), await color("west-one")]).toEqual([{ color: "red" }, { color: "blue" }]);
    });
    // The cache of the other cluster serves its reads, including its own writes.
    const stored = await other.client.get(Widget, { namespace: "default", name: "one" });
    await other.client.update({ ...stored, spec: { color: "green" } });
    expect((await other.client.get(Widget, { namespace: "default", name: "one" })).spec.color).toBe("green");
    await eventually(async () => expect(await color("west-one")).toEqual({ color: "green" }));
    expect(requests).toContainEqual({ namespace: "default", name: "one", cluster: "west" });
    expect(requests).toContainEqual({ namespace: "default", name: "one" });

    expect(await probe(mgr.healthProbePort, "/readyz")).toBe("ok");
    const metrics = await probe(mgr.metricsPort, "/metrics");
    for (const { host } of [eastConfig, westConfig]) {
      expect(metrics).toContain(`rest_client_requests_total{code="201",method="POST",host="${new URL(host).host}"}`);
    }
    await end();
    // Events that are pending at the end are written to the cluster of their object.
    const { items } = await (await Cluster.create(westConfig, { logger: silentLogger })).apiReader.list(Event);
    expect(items.filter(({ reason }) => reason === "Mirrored").map(({ note }) => note)).toContain("to west-one");
  });

  it("isn't ready and starts no worker if the other cluster can't be reached", async () => {
    const mgr = await Manager.create(eastConfig, { ...options, controller: { cacheSyncTimeout: 1500 } });
    const nowhere = await Cluster.create({ ...westConfig, host: "https://127.0.0.1:1" }, { logger: silentLogger });
    await mgr.add(nowhere);
    const requests: Request[] = [];
    await newControllerManagedBy(mgr)
      .for(Widget)
      .watchesRawSource(kindSource(nowhere.cache, Widget, inCluster("west", enqueueRequestForObject())))
      .complete({ reconcile: async (_ctx, request) => void requests.push(request) });
    await expect(mgr.start(new AbortController().signal)).rejects.toThrow(/kind source: Widget.*ECONNREFUSED/);
    expect(requests).toEqual([]);
  });
});

describe("events on a real API server", () => {
  it("K13: are stored as a series, and the last count is written on close", async () => {
    const cluster = await Cluster.create(eastConfig, { logger: silentLogger });
    const stored = await cluster.client.create(widget("told", "red"));
    const recorder = cluster.recorder("series");
    const counts = async () => {
      const { items } = await cluster.apiReader.list(Event, { namespace: "default" });
      return items.filter(({ reason }) => reason === "Again").map(({ series }) => series?.count);
    };
    for (let i = 0; i < 3; i++) recorder.event(stored, "Warning", "Again", `note ${i}`);
    await eventually(async () => expect(await counts()).toEqual([3]));
    recorder.event(stored, "Warning", "Again", "");
    const reader = await Cluster.create(eastConfig, { logger: silentLogger });
    await cluster.close();
    const { items } = await reader.apiReader.list(Event, { namespace: "default" });
    const repeated = items.filter(({ reason }) => reason === "Again");
    expect(repeated.map(({ series, note }) => [series?.count, note])).toEqual([[4, "note 0"]]);
    expect(Date.parse(repeated[0]?.series?.lastObservedTime ?? "")).toBeGreaterThan(
      Date.parse(repeated[0]?.eventTime ?? ""),
    );
    await reader.close();
  });
});

describe("the warm-up of a controller", { sequential: true }, () => {
  it("watches before the election of its manager, and reconciles only afterwards", async () => {
    const election: ManagerOptions = {
      ...options,
      leaderElection: true,
      leaderElectionID: "warm.kubewright.dev",
      leaderElectionNamespace: "default",
      leaderElectionReleaseOnCancel: true,
      leaseDuration: 4000,
      renewDeadline: 3000,
      retryPeriod: 500,
    };
    const first = await Manager.create(eastConfig, election);
    const endFirst = run(first);
    await first.elected;
    await first.client.create(widget("warm", "red"));

    const second = await Manager.create(eastConfig, election);
    const requests: string[] = [];
    await newControllerManagedBy(second)
      .for(Widget)
      .withOptions({ enableWarmup: true })
      .complete({ reconcile: async (_ctx, { name }) => void requests.push(name) });
    const endSecond = run(second);
    const depth = async () =>
      /workqueue_depth\{name="widget",controller="widget",priority="-100"\} (\d+)/.exec(
        await probe(second.metricsPort, "/metrics"),
      )?.[1];
    await eventually(async () => expect(Number(await depth())).toBeGreaterThan(0));
    expect(requests).toEqual([]);
    await endFirst();
    await second.elected;
    await eventually(() => expect(requests).toContain("warm"));
    await endSecond();
  });
});
