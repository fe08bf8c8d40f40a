// Children of replicas that share the objects: each replica has those of its own objects in its cache.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ignoreNotFound, isNotFound } from "../errors/predicates.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import { createTransport } from "../transport/create-transport.ts";
import { childrenOf } from "./children.ts";

const environment = new TestEnvironment({
  crds: [widgetCRD],
  apiServerFlags: { "feature-gates": "ShardedListAndWatch=true" },
});
const namespaces = ["blue", "green", "orange", "red", "violet", "yellow"];
let config: Config;
let user: Client;
let requests: string[] = [];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  config = await environment.start();
  user = await createClient(config);
  for (const name of [...namespaces, "far"]) {
    await user.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  for (const namespace of namespaces) await user.deleteAllOf(Widget, { namespace });
});
afterAll(() => environment.stop());

/** Starts a replica. A widget has a child in its namespace, and one in another namespace if its color is "far". */
async function replica(leaderElectionID: string, key: "namespace" | "uid") {
  const stop = new AbortController();
  const connection = createTransport(config);
  const children = childrenOf(Widget, { near: ConfigMap, far: ConfigMap });
  const mgr = await Manager.create(config, {
    transport: {
      ...{ stream: connection.stream.bind(connection), close: connection.close.bind(connection) },
      request: (request) => {
        if (!/\/(leases|events|version)/.test(request.path)) requests.push(`${request.method} ${request.path}`);
        return connection.request(request);
      },
    },
    ...{ leaseDuration: 8000, renewDeadline: 6000, retryPeriod: 500 },
    metrics: { bindAddress: "0" },
    leaderElectionID,
    leaderElectionNamespace: "default",
    sharding: { key },
    logger: silentLogger,
  });
  const results = new Map<string, string>();
  await newControllerManagedBy(mgr)
    .for(Widget)
    .manages(children)
    .complete({
      async reconcile(ctx, request) {
        const object = await ignoreNotFound(mgr.client.get(Widget, request));
        if (!object) return;
        const { namespace, name } = object.metadata;
        const result = await children.reconcile(ctx, mgr.client, object, {
          near: { data: { color: object.spec.color } },
          far:
            object.spec.color === "far" ? { metadata: { namespace: "far", name: `${namespace}-${name}` } } : undefined,
        });
        results.set(namespace!, result.results.map(({ child, action }) => `${child} ${action}`).join(", "));
        result.throwIfFailed();
      },
    });
  const done = mgr.start(stop.signal);
  stops.push(async () => {
    stop.abort();
    await done;
  });
  const held = () => [...mgr.cache.inform(ConfigMap, { shard: "none" } as never).store.values()];
  return { mgr, results, childrenHeld: () => held().filter(({ metadata }) => metadata?.name === "w").length };
}

it.each(["namespace", "uid"] as const)("key %s: children are divided like their owners", async (key) => {
  const replicas = [await replica(`sharded-${key}`, key), await replica(`sharded-${key}`, key)];
  for (const namespace of namespaces) await user.create(widget("w", "pale", namespace));
  await eventually(() => {
    const held = replicas.map(({ childrenHeld }) => childrenHeld());
    expect([Math.min(...held) > 0, held[0]! + held[1]!]).toEqual([true, namespaces.length]);
  });
  const owner = (namespace: string) =>
    replicas.find(({ mgr, results }) => results.has(namespace) && mgr.shards!.ranges.length > 0)!;
  // A child that somebody deletes is created again by the replica that owns its owner. Nothing collects the children of the first
  // test, so those of the second one wait for them, and the events of these reach any replica.
  const before = new Map<string, string>();
  for (const namespace of namespaces) {
    before.set(namespace, (await user.get(ConfigMap, { namespace, name: "w" })).metadata.uid);
    await user.delete(ConfigMap, { namespace, name: "w" });
  }
  await eventually(async () => {
    for (const namespace of namespaces) {
      expect((await user.get(ConfigMap, { namespace, name: "w" })).metadata.uid).not.toBe(before.get(namespace));
    }
  });
  // Those in other namespaces are read from the server, also to prune them.
  for (const namespace of namespaces) {
    const object = await user.get(Widget, { namespace, name: "w" });
    await user.update({ ...object, spec: { color: "far" } });
  }
  await eventually(async () => {
    expect((await user.list(ConfigMap, { namespace: "far" })).items.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(namespaces.map((namespace) => `${namespace}-w`)),
    );
  });
  for (const namespace of namespaces) {
    const object = await user.get(Widget, { namespace, name: "w" });
    await user.update({ ...object, spec: { color: "pale" } });
  }
  await eventually(async () => {
    for (const namespace of namespaces) {
      const far = user.get(ConfigMap, { namespace: "far", name: `${namespace}-w` });
      await expect(far).rejects.toSatisfy(isNotFound);
    }
    for (const namespace of namespaces) expect(owner(namespace).results.get(namespace)).toBe("near unchanged");
  });
  // A settled reconcile of an owner without such children sends no request.
  await new Promise((resolve) => setTimeout(resolve, 500));
  requests = [];
  for (const namespace of namespaces) {
    const object = await user.get(Widget, { namespace, name: "w" });
    await user.update({ ...object, metadata: { ...object.metadata, annotations: { touched: "yes" } } });
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(requests).toEqual([]);
});
