import { describe, expect, it } from "vitest";
import type { KubernetesObject, OwnerReference } from "../api/index.ts";
import { silentLogger } from "../log/logger.ts";
import type { AddOptions } from "../queue/queue.ts";
import type { Context } from "../reconcile/context.ts";
import type { Request } from "../reconcile/request.ts";
import type { EventHandler } from "./event-handler.ts";
import { enqueueRequestForObject } from "./for-object.ts";
import { enqueueRequestForOwner } from "./for-owner.ts";
import { handlerFuncs } from "./funcs.ts";
import { inCluster } from "./in-cluster.ts";
import { enqueueRequestsFromMapFunc, typedEnqueueRequestsFromMapFunc } from "./map-func.ts";

const ctx: Context = { log: silentLogger, signal: new AbortController().signal, reconcileID: "", reasons: [] };

function object(name: string, owners: Partial<OwnerReference>[] = [], resourceVersion = "1"): KubernetesObject {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    name: "owner",
    uid: "u",
    ...owner,
  }));
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "ns", resourceVersion, ownerReferences } };
}

/** Returns the requests that a handler adds for each kind of event, as `name priority reason`. */
async function added(event: (queue: { add(item: Request, options?: AddOptions): void }) => unknown) {
  const adds: string[] = [];
  const queue = {
    add: ({ namespace, name }: Request, { priority = 0, reason }: AddOptions = {}) =>
      void adds.push(`${namespace}/${name} ${priority} ${reason?.type} ${reason?.kind}`),
  };
  await event(queue);
  return adds;
}

describe("enqueueRequestForObject", () => {
  const handler = enqueueRequestForObject();

  it("H1: enqueues the object of each event, and the new object of an update", async () => {
    const a = object("a");
    expect(await added((q) => handler.create(ctx, { object: a, isInInitialList: false }, q))).toEqual([
      "ns/a 0 create Pod",
    ]);
    const changed = object("a", [], "2");
    expect(await added((q) => handler.update(ctx, { oldObject: a, object: changed }, q))).toEqual([
      "ns/a 0 update Pod",
    ]);
    expect(await added((q) => handler.delete(ctx, { object: a, deleteStateUnknown: true }, q))).toEqual([
      "ns/a 0 delete Pod",
    ]);
    expect(await added((q) => handler.generic(ctx, { object: a }, q))).toEqual(["ns/a 0 generic Pod"]);
  });

  it("H5: uses low priority for initial lists and resyncs", async () => {
    const a = object("a");
    expect(await added((q) => handler.create(ctx, { object: a, isInInitialList: true }, q))).toEqual([
      "ns/a -100 create Pod",
    ]);
    expect(await added((q) => handler.update(ctx, { oldObject: a, object: a }, q))).toEqual(["ns/a -100 resync Pod"]);
  });
});

describe("enqueueRequestForOwner", () => {
  const owner = { group: "apps", kind: "Deployment", namespaced: true };
  const create = (handler: EventHandler, of: KubernetesObject) =>
    added((q) => handler.create(ctx, { object: of, isInInitialList: false }, q));

  it("H3: compares group and kind, but not version and UID, and uses the namespace of the dependent", async () => {
    const handler = enqueueRequestForOwner(owner);
    const child = object("a", [
      { apiVersion: "apps/v1beta2", name: "x" },
      { apiVersion: "other/v1", name: "y" },
      { kind: "StatefulSet", name: "z" },
    ]);
    expect(await create(handler, child)).toEqual(["ns/x 0 create Pod"]);
    const clusterScoped = enqueueRequestForOwner({ ...owner, namespaced: false });
    expect(await create(clusterScoped, child)).toEqual(["/x 0 create Pod"]);
  });

  it("H3: enqueues the old and the new owners of an update, each once", async () => {
    const handler = enqueueRequestForOwner(owner);
    const event = {
      oldObject: object("a", [{ name: "old" }, { name: "both" }]),
      object: object("a", [{ name: "both" }, { name: "new" }], "2"),
    };
    const adds = await added((q) => handler.update(ctx, event, q));
    expect(adds.map((add) => add.split(" ")[0])).toEqual(["ns/old", "ns/both", "ns/new"]);
  });

  it("H4: enqueues only the controller if the option is set", async () => {
    const handler = enqueueRequestForOwner(owner, { onlyControllerOwner: true });
    const child = object("a", [{ name: "x" }, { name: "y", controller: true }, { name: "z", controller: false }]);
    expect(await create(handler, child)).toEqual(["ns/y 0 create Pod"]);
  });
});

describe("enqueueRequestsFromMapFunc", () => {
  it("H2: maps the old and the new object, and enqueues each request once per event", async () => {
    const handler = enqueueRequestsFromMapFunc(async (_ctx, pod) => [
      { name: "cluster-wide" },
      { namespace: "ns", name: pod.metadata?.resourceVersion ?? "" },
    ]);
    const event = { oldObject: object("a", [], "1"), object: object("a", [], "2") };
    expect(await added((q) => handler.update(ctx, event, q))).toEqual([
      "/cluster-wide 0 update Pod",
      "ns/1 0 update Pod",
      "ns/2 0 update Pod",
    ]);
  });
});

describe("typedEnqueueRequestsFromMapFunc", () => {
  it("H2: enqueues custom requests unchanged, and equal ones once", async () => {
    const handler = typedEnqueueRequestsFromMapFunc((_ctx, pod: KubernetesObject) => [
      { zone: "a", of: pod.metadata?.namespace },
      { of: pod.metadata?.namespace, zone: "a" },
      { zone: pod.metadata?.name },
    ]);
    const adds: unknown[] = [];
    const event = { object: object("b"), deleteStateUnknown: false };
    await handler.delete(ctx, event, { add: (request, options) => void adds.push(request, options?.reason?.type) });
    expect(adds).toEqual([{ zone: "a", of: "ns" }, "delete", { zone: "b" }, "delete"]);
  });
});

describe("handlerFuncs", () => {
  const add = (name: string, options?: AddOptions) => ({
    create: (_ctx: Context, _event: unknown, q: { add(item: Request, options?: AddOptions): void }) =>
      q.add({ namespace: "ns", name }, options),
  });

  it("H5: adds low priority in initial lists, and the event as the reason", async () => {
    const event = { object: object("a"), isInInitialList: true };
    expect(await added((q) => handlerFuncs(add("x")).create(ctx, event, q))).toEqual(["ns/x -100 create Pod"]);
    const urgent = handlerFuncs(add("x", { priority: 5 }));
    expect(await added((q) => urgent.create(ctx, event, q))).toEqual(["ns/x 5 create Pod"]);
  });

  it("ignores events without a function", async () => {
    const handler = handlerFuncs(add("x"));
    expect(await added((q) => handler.delete(ctx, { object: object("a"), deleteStateUnknown: false }, q))).toEqual([]);
    expect(await added((q) => handler.generic(ctx, { object: object("a") }, q))).toEqual([]);
  });
});

describe("inCluster", () => {
  it("sets the cluster in each request, for all events", async () => {
    const handler = inCluster("west", enqueueRequestForObject());
    const clusters: (string | undefined)[] = [];
    const queue = { add: ({ cluster }: Request) => void clusters.push(cluster) };
    await handler.create(ctx, { object: object("a"), isInInitialList: false }, queue);
    await handler.update(ctx, { object: object("a"), oldObject: object("a") }, queue);
    await handler.delete(ctx, { object: object("a"), deleteStateUnknown: false }, queue);
    await handler.generic(ctx, { object: object("a") }, queue);
    expect(clusters).toEqual(["west", "west", "west", "west"]);
  });
});
