// The parts of shards that the API server, probes and metrics show, with a server that filters and with one that doesn't.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { silentLogger } from "../log/logger.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { TransportRequest } from "../transport/transport.ts";
import { Manager } from "./manager.ts";
import { eventually, Widget, widget, widgetCRD } from "./widget.fixture.ts";

const namespaces = ["blue", "green", "orange", "red", "violet", "yellow"];

describe.each([true, false])("with ShardedListAndWatch=%s", (hasGate) => {
  const environment = new TestEnvironment({
    crds: [widgetCRD],
    apiServerFlags: { "feature-gates": `ShardedListAndWatch=${hasGate}` },
  });
  const stops: (() => Promise<void>)[] = [];
  let config: Config;
  let user: Client;

  beforeAll(async () => {
    config = await environment.start();
    user = await createClient(config);
    for (const name of namespaces) {
      await user.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
      await user.create(widget("w", "pale", name));
    }
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => environment.stop());

  async function replica() {
    const stop = new AbortController();
    const connection = createTransport(config);
    const watches: TransportRequest[] = [];
    const mgr = await Manager.create(config, {
      transport: {
        ...{ request: connection.request.bind(connection), close: connection.close.bind(connection) },
        stream: (request) => {
          if (request.query?.watch && request.path.includes("/widgets")) watches.push(request);
          return connection.stream(request);
        },
      },
      ...{ leaseDuration: 8000, renewDeadline: 6000, retryPeriod: 500 },
      metrics: { bindAddress: "127.0.0.1:0" },
      healthProbeBindAddress: "127.0.0.1:0",
      leaderElectionID: "widgets",
      leaderElectionNamespace: "default",
      sharding: true,
      logger: silentLogger,
    });
    mgr.cache.indexField(Widget, "spec.color", ({ spec }) => [spec.color]);
    await newControllerManagedBy(mgr)
      .for(Widget)
      .complete({ reconcile: async () => {} });
    const done = mgr.start(stop.signal);
    stops.push(async () => {
      stop.abort();
      await done;
    });
    const readyz = async () => (await fetch(`http://127.0.0.1:${mgr.healthProbePort}/readyz/shards`)).status;
    const series = async (name: string) => {
      const lines = (await mgr.metrics!.registry.metrics()).split("\n");
      const matching = lines.filter((line) => line.startsWith(`kubewright_shard_${name}`));
      return matching.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    };
    return { mgr, watches, readyz, series };
  }

  it("replicas are ready when they have joined, and share the objects", async () => {
    const first = await replica();
    await eventually(async () => expect(await first.readyz()).toBe(500));
    await eventually(async () => expect(await first.readyz()).toBe(200));
    const second = await replica();
    const replicas = [first, second];
    await eventually(async () => {
      const objects = await Promise.all(replicas.map(({ series }) => series("objects")));
      expect([objects[0]! + objects[1]!, Math.min(...objects) > 0]).toEqual([namespaces.length, true]);
    });
    for (const namespace of namespaces) {
      const object = await user.get(Widget, { namespace, name: "w" });
      await user.update({ ...object, metadata: { ...object.metadata, annotations: { changed: String(hasGate) } } });
    }
    for (const { series } of replicas) {
      expect(await series('server_side{kind="Widget"}')).toBe(hasGate ? 1 : 0);
      // Without the server's help, the events of the other replica's objects arrive, and are dropped.
      await eventually(async () => expect((await series("filtered_events_total")) > 0).toBe(!hasGate));
      expect([await series("members"), await series("unowned_ranges")]).toEqual([2, 0]);
      expect(await series("moves_total")).toBeGreaterThan(0);
    }
    const selectors = replicas.map(({ watches }) => String(watches.at(-1)?.query?.shardSelector ?? ""));
    for (const selector of selectors) {
      if (hasGate)
        expect(selector).toMatch(/^shardRange\(object\.metadata\.namespace, '0x[0-9a-f]{16}', '0x[0-9a-f]+'\)/);
    }
    if (hasGate) expect(selectors[0]).not.toBe(selectors[1]);
    // An index exists only in the cache, which has the objects of this replica.
    const list = first.mgr.client.list(Widget, { fields: { "spec.color": "pale" } });
    await expect(list).rejects.toThrow(
      "list of Widget by spec.color: only the cache has this index, and it contains the objects of this replica: set sharded: true to list these, or the namespace of a reconciled object",
    );
    const own = await first.mgr.client.list(Widget, { fields: { "spec.color": "pale" }, sharded: true });
    expect(own.items).toHaveLength(await first.series("objects"));
  });
});
