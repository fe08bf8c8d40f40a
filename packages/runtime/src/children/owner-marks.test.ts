// Children in other namespaces and cluster-scoped ones, which can't have an owner reference (KEP-3659).
import { describe, expect, it } from "vitest";
import { ConfigMap, Namespace } from "../api/core/v1.ts";
import { ClusterRole } from "../api/rbac/v1.ts";
import type { Stored } from "../client/client.ts";
import { ctx, Game, key, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { setId } from "./owner-set.ts";

const declared = () => childrenOf(Game, { role: ClusterRole, config: ConfigMap });
const wanted = {
  role: { metadata: { name: "chess" }, rules: [] },
  config: { metadata: { namespace: "other", name: "c" }, data: { a: "1" } },
};
const none = { role: undefined, config: undefined };
const id = "applyset-XiHOtS1SHaCYwMnqMVkOw1IRpWu6_Rfpm1WAoGOkfpI-v1";

async function owner(server: Awaited<ReturnType<typeof setUp>>["server"]): Promise<Stored<Game>> {
  return server.get(Game, key);
}

describe("children without owner references", () => {
  it("get labels, and the owner lists them before the first is written", async () => {
    const order: string[] = [];
    const { client, server, game } = await setUp([], {
      patch: (next, object, patch, options) => {
        order.push("owner");
        return next.patch(object, patch, options);
      },
      apply: (next, object, options) => {
        order.push(object.kind);
        return next.apply(object, options);
      },
    });
    const version = game.metadata.resourceVersion;
    const { results, children } = await declared().reconcile(ctx, client, game, wanted);
    expect(lines(results)).toEqual(["role chess created", "config c created"]);
    expect(order[0]).toBe("owner");
    expect(order).toHaveLength(3);
    const { metadata } = await owner(server);
    const setIdOfOwner = metadata.labels?.["applyset.kubernetes.io/id"];
    expect(setIdOfOwner).toMatch(/^applyset-[\w-]{43}-v1$/);
    expect(metadata.annotations).toEqual({
      "applyset.kubernetes.io/tooling": "kubewright/v1",
      "applyset.kubernetes.io/contains-group-kinds": "ClusterRole.rbac.authorization.k8s.io,ConfigMap",
      "applyset.kubernetes.io/additional-namespaces": "other",
    });
    expect(metadata.finalizers).toEqual(["example.com/children"]);
    for (const child of [children.role, children.config]) {
      expect(child?.metadata.labels).toEqual({ "applyset.kubernetes.io/part-of": setIdOfOwner });
      expect(child?.metadata.annotations?.["apply.kubewright.io/owner"]).toBe("default/chess");
      expect(child?.metadata.ownerReferences).toBeUndefined();
    }
    // The caller can write the status of its object.
    expect(game.metadata.resourceVersion).not.toBe(version);
    expect(game.metadata.resourceVersion).toBe(metadata.resourceVersion);
    writesOf(client);
    await declared().reconcile(ctx, client, game, wanted);
    expect(writesOf(client)).toEqual([]);
  });

  it("a copy of an owner loses the list of the set if it wants no such child", async () => {
    const { client, server, game } = await setUp();
    const marked = { ...game.metadata, labels: { "applyset.kubernetes.io/id": id, team: "a" } };
    const annotations = {
      "applyset.kubernetes.io/tooling": "kubewright/v1",
      "applyset.kubernetes.io/contains-group-kinds": "ConfigMap",
      note: "b",
    };
    const copy = await server.update({ ...game, metadata: { ...marked, annotations } });
    await declared().reconcile(ctx, client, copy, none);
    const { metadata } = await owner(server);
    expect({ labels: metadata.labels, annotations: metadata.annotations }).toEqual({
      labels: { team: "a" },
      annotations: { note: "b" },
    });
    writesOf(client);
    await declared().reconcile(ctx, client, await owner(server), none);
    expect(writesOf(client)).toEqual([]);
  });

  it("sets with owner references only write nothing to their owner", async () => {
    const { client, game } = await setUp();
    await declared().reconcile(ctx, client, game, { role: undefined, config: { data: {} } });
    expect(writesOf(client)).toEqual(["apply ConfigMap chess"]);
  });

  it("are pruned, and the owner then lists the others", async () => {
    const { client, server, game } = await setUp();
    await declared().reconcile(ctx, client, game, wanted);
    await declared().reconcile(ctx, client, game, { ...wanted, config: undefined });
    expect((await server.list(ConfigMap)).items).toEqual([]);
    const { annotations } = (await owner(server)).metadata;
    expect(annotations?.["applyset.kubernetes.io/contains-group-kinds"]).toBe("ClusterRole.rbac.authorization.k8s.io");
    expect(annotations).not.toHaveProperty("applyset.kubernetes.io/additional-namespaces");
    await declared().reconcile(ctx, client, game, none);
    const { metadata } = await owner(server);
    expect(metadata.finalizers ?? []).toEqual([]);
    expect(metadata.labels ?? {}).toEqual({});
    expect(metadata.annotations ?? {}).toEqual({});
  });

  it("an object of another set is blocked", async () => {
    const labels = { "applyset.kubernetes.io/part-of": "applyset-other-v1" };
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "other", name: "c", labels } };
    const { client, game } = await setUp([config]);
    const adopting = childrenOf(Game, { config: ConfigMap }, { entries: { config: { adopt: "ownerless" } } });
    const { results } = await adopting.reconcile(ctx, client, game, { config: wanted.config });
    expect(results[0]).toMatchObject({ action: "blocked", message: "it belongs to the set applyset-other-v1" });
  });

  it("an owner that is the parent of another tool's set isn't changed", async () => {
    const { client, server, game } = await setUp();
    game.metadata.annotations = { "applyset.kubernetes.io/tooling": "kubectl/v1.37.2" };
    const stored = await server.update(game);
    writesOf(client);
    const { results } = await declared().reconcile(ctx, client, stored, wanted);
    expect(lines(results)).toEqual(["role chess failed", "config c failed"]);
    expect(results[0]?.message).toContain("is the parent of a set of kubectl/v1.37.2");
    expect(writesOf(client)).toEqual([]);
  });
});

describe("an owner that is being deleted", () => {
  it("creates nothing, and keeps its finalizer until the children are gone", async () => {
    const { client, server, game } = await setUp();
    const held = {
      ...wanted,
      config: { ...wanted.config, metadata: { ...wanted.config.metadata, finalizers: ["a.b/c"] } },
    };
    await declared().reconcile(ctx, client, game, held);
    await server.delete(Game, key);
    const run = async () => {
      const result = await declared().reconcile(ctx, client, await owner(server), held);
      const copy: Game = await owner(server).catch(() => game);
      expect(result.setStatus(copy)).toBe(false);
      return lines(result.results).sort();
    };
    expect(await run()).toEqual(["config c pruned", "role chess pruned"]);
    expect((await owner(server)).metadata.finalizers).toEqual(["example.com/children"]);
    expect(await run()).toEqual(["config c waiting"]);
    const config = await server.get(ConfigMap, { namespace: "other", name: "c" });
    await server.update({ ...config, metadata: { ...config.metadata, finalizers: [] } });
    expect(await run()).toEqual([]);
    await expect(owner(server)).rejects.toThrow("not found");
    expect((await server.list(ClusterRole)).items).toEqual([]);
  });

  it("does nothing without the finalizer", async () => {
    const { client, server, game } = await setUp();
    const stored = await server.update({ ...game, metadata: { ...game.metadata, finalizers: ["a.example.com/b"] } });
    await server.delete(stored);
    const { results } = await declared().reconcile(ctx, client, await owner(server), wanted);
    expect(results).toEqual([]);
    expect(client.requests).toEqual([]);
  });

  it("a child that is deleted by someone else counts as gone, and so does a kind that isn't installed", async () => {
    const { client, server, game } = await setUp();
    await declared().reconcile(ctx, client, game, wanted);
    await server.delete(ClusterRole, { name: "chess" });
    await server.delete(ConfigMap, { namespace: "other", name: "c" });
    await server.delete(Game, key);
    await declared().reconcile(ctx, client, await owner(server), wanted);
    await expect(owner(server)).rejects.toThrow("not found");
  });

  it("children that are never pruned stay", async () => {
    const { client, server, game } = await setUp();
    const spaces = childrenOf(Game, { space: Namespace });
    await spaces.reconcile(ctx, client, game, { space: { metadata: { name: "ns" } } });
    await server.delete(Game, key);
    const { results } = await spaces.reconcile(ctx, client, await owner(server), { space: undefined });
    expect(lines(results)).toEqual(["space ns kept"]);
    await expect(owner(server)).rejects.toThrow("not found");
    expect((await server.get(Namespace, { name: "ns" })).metadata.deletionTimestamp).toBeUndefined();
  });

  it("deletion: ordered deletes also children with owner references, in reverse order", async () => {
    const { client, server, game } = await setUp();
    const chain = childrenOf(
      Game,
      { a: ConfigMap, b: ConfigMap },
      { deletion: "ordered", entries: { b: { after: ["a"] } } },
    );
    const values = {
      a: { metadata: { name: "a" } },
      b: { metadata: { name: "b", finalizers: ["x.example.com/y"] } },
    };
    await chain.reconcile(ctx, client, game, values);
    expect((await owner(server)).metadata.finalizers).toEqual(["example.com/children"]);
    await server.delete(Game, key);
    const run = async () => lines((await chain.reconcile(ctx, client, await owner(server), values)).results).sort();
    expect(await run()).toEqual(["a a waiting", "b b pruned"]);
    expect(await run()).toEqual(["a a waiting", "b b waiting"]);
    const b = await server.get(ConfigMap, { namespace: "default", name: "b" });
    await server.update({ ...b, metadata: { ...b.metadata, finalizers: [] } });
    expect(await run()).toEqual(["a a pruned"]);
    await expect(owner(server)).rejects.toThrow("not found");
  });
});

it("the id of a set is that of kubectl", () => {
  expect(setId({ group: "example.com", kind: "Game" }, "default", "chess")).toBe(id);
});
