import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from "../api/core/v1.ts";
import { ApiError } from "../errors/api-error.ts";
import { NoMatchError } from "../errors/no-match-error.ts";
import { ctx, deploymentSpec, Game, key, labels, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { keep } from "./types.ts";

const both = childrenOf(Game, { deployment: Deployment, service: Service });
const service = { spec: { selector: labels, ports: [{ port: 80 }] } };

describe("prune", () => {
  it("deletes a child that isn't wanted anymore, after reading it from the server", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    client.requests.length = 0;
    const { results } = await both.reconcile(ctx, client, game, {
      deployment: { spec: deploymentSpec() },
      service: undefined,
    });
    expect(lines(results)).toEqual(["deployment chess unchanged", "service chess pruned"]);
    expect(client.requests.filter((request) => request.endsWith("Service chess"))).toEqual([
      "get Service chess",
      "delete Service chess",
    ]);
    await expect(server.get(Service, key)).rejects.toThrow("not found");
  });

  it("keep neither applies nor prunes", async () => {
    const { client, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    writesOf(client);
    const { results, children } = await both.reconcile(ctx, client, game, { deployment: keep, service: keep });
    expect(lines(results)).toEqual(["deployment chess kept", "service chess kept"]);
    expect(children.deployment?.metadata.name).toBe("chess");
    expect(writesOf(client)).toEqual([]);
  });

  it("waits until each wanted child is applied", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    const bad = { spec: { ...deploymentSpec(), selector: { matchLabels: { x: "y" } } } };
    const { results } = await both.reconcile(ctx, client, game, { deployment: bad, service: undefined });
    expect(lines(results)).toEqual(["deployment chess failed"]);
    expect((await server.get(Service, key)).metadata.name).toBe("chess");
  });

  it("a copy of the labels and annotations of a child isn't deleted", async () => {
    const { client, server, game } = await setUp();
    const configs = childrenOf(Game, { config: ConfigMap });
    const { children } = await configs.reconcile(ctx, client, game, { config: { data: { a: "1" } } });
    const { annotations, ownerReferences } = children.config!.metadata;
    const metadata = { namespace: "default", name: "copy", annotations, ownerReferences };
    await server.create({ apiVersion: "v1", kind: "ConfigMap", metadata } as ConfigMap, { fieldOwner: "kubectl" });
    const { results } = await configs.reconcile(ctx, client, game, { config: undefined });
    expect(lines(results)).toEqual(["config chess pruned"]);
    expect((await server.get(ConfigMap, { namespace: "default", name: "copy" })).metadata.name).toBe("copy");
  });

  it("an object that the same reconciler applies beside the children isn't deleted", async () => {
    const { client, server, game } = await setUp();
    const { apiVersion, kind } = game;
    const ownerReferences = [{ apiVersion, kind, name: "chess", uid: game.metadata.uid, controller: true }];
    const own = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "own", ownerReferences },
    };
    await server.apply(own as never, { fieldOwner: "game-controller" });
    await childrenOf(Game, { config: ConfigMap }).reconcile(ctx, client, game, { config: undefined });
    expect((await server.get(ConfigMap, { namespace: "default", name: "own" })).metadata.name).toBe("own");
  });

  it("an object that was created again in the meantime isn't deleted", async () => {
    const configs = childrenOf(Game, { config: ConfigMap });
    const given = await setUp([], {
      delete: async (next, object, options) => {
        const old = await next.get(ConfigMap, key);
        await next.delete(old);
        await next.create({ apiVersion: "v1", kind: "ConfigMap", metadata: key } as ConfigMap);
        return next.delete(object, options);
      },
    });
    await configs.reconcile(ctx, given.client, given.game, { config: { data: { a: "1" } } });
    await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect((await given.server.get(ConfigMap, key)).metadata.ownerReferences).toBeUndefined();
  });

  it("an object that has moved to another owner in the meantime isn't deleted", async () => {
    const configs = childrenOf(Game, { config: ConfigMap });
    let isStale = false;
    const given = await setUp([], {
      list: async (next, kind, options) => {
        const list = await next.list(kind, options as never);
        if (!isStale) return list;
        isStale = false;
        const moved = await next.get(ConfigMap, key);
        const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }];
        await next.update({ ...moved, metadata: { ...moved.metadata, ownerReferences } });
        return list;
      },
    });
    await configs.reconcile(ctx, given.client, given.game, { config: { data: { a: "1" } } });
    isStale = true;
    const { results } = await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect(lines(results)).toEqual(["config chess kept"]);
    expect((await given.server.get(ConfigMap, key)).metadata.name).toBe("chess");
  });

  it("an object that moves to another owner between the read and the delete isn't deleted", async () => {
    let moves = 0;
    const { client, server, game } = await setUp([], {
      delete: async (next, object, options) => {
        if (moves++ === 0) {
          const live = await server.get(ConfigMap, key);
          live.metadata.ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }];
          await server.update(live);
        }
        return next.delete(object, options as never);
      },
    });
    const configs = childrenOf(Game, { config: ConfigMap });
    await configs.reconcile(ctx, client, game, { config: { data: {} } });
    const { results } = await configs.reconcile(ctx, client, game, { config: undefined });
    expect(results).toMatchObject([{ action: "kept", message: "it doesn't belong to this owner anymore" }]);
    expect((await server.get(ConfigMap, key)).metadata.ownerReferences?.[0]?.kind).toBe("Pod");
    expect(moves).toBe(1);
  });

  it("an object whose apply somebody else has taken over in the meantime isn't deleted", async () => {
    let isTaken = false;
    const { client, server, game } = await setUp([], {
      get: async (next, kind, name, options) => {
        if (isTaken && kind.kind === "ConfigMap") {
          isTaken = false;
          const live = await server.get(ConfigMap, key);
          live.metadata.managedFields = [{}];
          await server.update(live, { fieldOwner: "kubectl" });
        }
        return next.get(kind, name, options as never);
      },
    });
    const configs = childrenOf(Game, { config: ConfigMap });
    await configs.reconcile(ctx, client, game, { config: { data: {} } });
    isTaken = true;
    const { results } = await configs.reconcile(ctx, client, game, { config: undefined });
    expect(results).toMatchObject([{ action: "kept" }]);
    expect((await server.get(ConfigMap, key)).metadata.name).toBe("chess");
  });

  it.each([
    ["somebody deletes before it is read", "get", "its deletion"],
    ["somebody deletes after it was read", "delete", "its deletion"],
    ["has a kind that is removed before it is read", "get", "its kind"],
    ["has a kind that is removed after it was read", "delete", "its kind"],
  ])("a child that %s counts as gone", async (_, request, removed) => {
    let isDue = false;
    const { client, server, game } = await setUp([], {
      get: async (next, kind, name, options) => {
        if (isDue && request === "get" && kind.kind === "ConfigMap") await remove();
        return next.get(kind, name, options as never);
      },
      delete: async (next, object, options) => {
        if (request === "delete") await remove();
        return next.delete(object, options as never);
      },
    });
    const remove = async (): Promise<void> => {
      if (removed === "its kind") throw new NoMatchError("", "v1", "ConfigMap");
      await server.delete(ConfigMap, key);
    };
    const configs = childrenOf(Game, { config: ConfigMap });
    await configs.reconcile(ctx, client, game, { config: { data: {} } });
    isDue = true;
    const { ready, results } = await configs.reconcile(ctx, client, game, { config: undefined });
    expect([ready, lines(results)]).toEqual([true, ["config chess pruned"]]);
  });

  it("a rejected delete is tried again", async () => {
    let isRejected = true;
    const configs = childrenOf(Game, { config: ConfigMap });
    const given = await setUp([], {
      delete: (next, object, options) =>
        isRejected ? Promise.reject(ApiError.create(403, "Forbidden", "no")) : next.delete(object, options),
    });
    await configs.reconcile(ctx, given.client, given.game, { config: { data: {} } });
    const first = await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect(first.results[0]).toMatchObject({ action: "failed", message: "no" });
    const copy: Game = { ...given.game };
    first.setStatus(copy);
    expect(copy.status?.conditions?.find(({ type }) => type === "Reconciling")?.reason).toBe("ChildPruneFailed");
    isRejected = false;
    const second = await configs.reconcile(ctx, given.client, given.game, { config: undefined });
    expect(lines(second.results)).toEqual(["config chess pruned"]);
  });

  it("prunes in reverse order, each entry after its dependents are gone", async () => {
    const { client, server, game } = await setUp();
    const chain = childrenOf(
      Game,
      { a: ConfigMap, b: ConfigMap },
      { entries: { b: { after: ["a"], ready: () => true }, a: { ready: () => true } } },
    );
    const finalizers = ["x.example.com/y"];
    const wanted = { a: { metadata: { name: "a" } }, b: { metadata: { name: "b", finalizers } } };
    await chain.reconcile(ctx, client, game, wanted);
    const none = { a: undefined, b: undefined };
    const run = async () => lines((await chain.reconcile(ctx, client, game, none)).results).sort();
    expect(await run()).toEqual(["a a waiting", "b b pruned"]);
    expect(await run()).toEqual(["a a waiting", "b b waiting"]);
    const b = await server.get(ConfigMap, { namespace: "default", name: "b" });
    await server.update({ ...b, metadata: { ...b.metadata, finalizers: [] } });
    expect(await run()).toEqual(["a a pruned"]);
  });

  it("one reconcile prunes all entries in reverse order if nothing holds them", async () => {
    const { client, game } = await setUp();
    const chain = childrenOf(
      Game,
      { a: ConfigMap, b: ConfigMap, c: ConfigMap },
      { entries: { b: { after: ["a"] }, c: { after: ["b"] } } },
    );
    const child = (name: string) => ({ metadata: { name } });
    await chain.reconcile(ctx, client, game, { a: child("a"), b: child("b"), c: child("c") });
    writesOf(client);
    await chain.reconcile(ctx, client, game, { a: undefined, b: undefined, c: undefined });
    expect(writesOf(client)).toEqual(["delete ConfigMap c", "delete ConfigMap b", "delete ConfigMap a"]);
  });

  it("a Namespace, a claim and an entry with prune: false stay", async () => {
    const { client, server, game } = await setUp();
    const data = childrenOf(
      Game,
      { claim: PersistentVolumeClaim, config: ConfigMap },
      { entries: { config: { prune: false } } },
    );
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    await data.reconcile(ctx, client, game, { claim: { spec }, config: { data: {} } });
    writesOf(client);
    const { results } = await data.reconcile(ctx, client, game, { claim: undefined, config: undefined });
    expect(lines(results)).toEqual(["claim chess kept", "config chess kept"]);
    expect(writesOf(client)).toEqual([]);
    expect((await server.get(PersistentVolumeClaim, key)).metadata.name).toBe("chess");
    const spaces = childrenOf(Game, { space: Namespace });
    await spaces.reconcile(ctx, client, game, { space: { metadata: { name: "ns" } } });
    expect(lines((await spaces.reconcile(ctx, client, game, { space: undefined })).results)).toEqual(["space ns kept"]);
  });

  it("a former kind that isn't installed anymore counts as gone", async () => {
    const { client, game } = await setUp([], {
      list: (next, kind, options) =>
        kind.kind === "Service"
          ? Promise.reject(new NoMatchError("", "v1", "Service"))
          : next.list(kind, options as never),
    });
    const next = childrenOf(Game, { app: Deployment }, { former: [Service] });
    const { results } = await next.reconcile(ctx, client, game, { app: { spec: deploymentSpec() } });
    expect(lines(results)).toEqual(["app chess created"]);
  });

  it("former kinds and renamed entries are pruned", async () => {
    const { client, server, game } = await setUp();
    await both.reconcile(ctx, client, game, { deployment: { spec: deploymentSpec() }, service });
    const next = childrenOf(Game, { app: Deployment }, { former: [Service] });
    const { results } = await next.reconcile(ctx, client, game, { app: undefined });
    expect(lines(results).sort()).toEqual(["deployment chess pruned", "service chess pruned"]);
    expect((await server.list(Service)).items).toEqual([]);
  });

  it("an entry with another name keeps the child of its former name: keep, and prune: false", async () => {
    const { client, server, game } = await setUp();
    const before = childrenOf(Game, { config: ConfigMap, token: Secret }, { entries: { token: { prune: false } } });
    await before.reconcile(ctx, client, game, { config: { data: { a: "1" } }, token: { stringData: { a: "1" } } });
    const renamed = childrenOf(Game, { settings: ConfigMap, key: Secret }, { entries: { key: { prune: false } } });
    const { results } = await renamed.reconcile(ctx, client, game, { settings: keep, key: undefined });
    expect(lines(results).sort()).toEqual(["config chess kept", "token chess kept"]);
    expect((await server.get(ConfigMap, key)).data).toEqual({ a: "1" });
    expect((await server.get(Secret, key)).data).toEqual({ a: "MQ==" });
  });

  it("a kind that can't be listed is a failure, also if another child of the kind is applied", async () => {
    let isBroken = false;
    const { client, server, game } = await setUp([], {
      list: (next, kind, options) =>
        isBroken && kind.kind === "ConfigMap"
          ? Promise.reject(new Error("the list failed"))
          : next.list(kind, options as never),
    });
    const configs = childrenOf(Game, { near: ConfigMap, far: ConfigMap });
    const far = { metadata: { namespace: "other" }, data: {} };
    await configs.reconcile(ctx, client, game, { near: { data: {} }, far });
    isBroken = true;
    const owner = await server.get(Game, key);
    const wanted = { near: { data: {} }, far: undefined };
    const { ready, results, throwIfFailed } = await configs.reconcile(ctx, client, owner, wanted);
    expect(ready).toBe(false);
    expect(results.map(({ action }) => action)).toEqual(["unchanged", "failed"]);
    expect(throwIfFailed).toThrow("the list failed");
    expect((await server.get(Game, key)).metadata.finalizers).toEqual(["example.com/children"]);
    isBroken = false;
    expect(lines((await configs.reconcile(ctx, client, owner, wanted)).results)).toContain("far chess pruned");
  });
});
