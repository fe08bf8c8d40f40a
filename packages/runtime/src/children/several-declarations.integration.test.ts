// The labels and the finalizer of an owner whose children several declarations, or several versions of one, have applied.
import { expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { ClusterRole } from "../api/rbac/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { Manager } from "../manager/manager.ts";
import { ctx, Game, key, lines, setUp, writesOf } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { AnyKind } from "./types.ts";

const far = { metadata: { namespace: "other", name: "c" }, data: {} };
const kindsOf = ({ metadata }: Game): string | undefined =>
  metadata?.annotations?.["applyset.kubernetes.io/contains-group-kinds"];

it("two declarations with different field managers keep what the other one has written to the owner", async () => {
  const { client, server, game } = await setUp();
  const first = childrenOf(Game, { config: ConfigMap }, { fieldOwner: "first" });
  const second = childrenOf(Game, { config: ConfigMap, role: ClusterRole }, { fieldOwner: "second" });
  const reconcile = async (owner = game) => [
    ...lines((await first.reconcile(ctx, client, owner, { config: {} })).results),
    ...lines((await second.reconcile(ctx, client, owner, { config: far, role: { rules: [] } })).results),
  ];
  await reconcile();
  writesOf(client);
  expect(await reconcile(await server.get(Game, key))).toEqual([
    "config chess unchanged",
    "config c unchanged",
    "role chess unchanged",
  ]);
  expect(writesOf(client)).toEqual([]);
  const owner = await server.get(Game, key);
  expect([kindsOf(owner), owner.metadata.finalizers]).toEqual([
    "ClusterRole.rbac.authorization.k8s.io,ConfigMap",
    ["example.com/children"],
  ]);
});

it("a kind that isn't declared anymore stays listed, so that its children aren't forgotten when the owner is deleted", async () => {
  const { client, server, game } = await setUp();
  const before = childrenOf(Game, { role: ClusterRole, config: ConfigMap });
  await before.reconcile(ctx, client, game, { role: { rules: [] }, config: {} });
  const after = childrenOf(Game, { config: ConfigMap });
  await after.reconcile(ctx, client, await server.get(Game, key), { config: {} });
  const owner = await server.get(Game, key);
  expect([kindsOf(owner), owner.metadata.finalizers]).toEqual([
    "ClusterRole.rbac.authorization.k8s.io",
    ["example.com/children"],
  ]);
  await server.delete(Game, key);
  const { results } = await after.reconcile(ctx, client, await server.get(Game, key), { config: {} });
  expect(results).toMatchObject([{ action: "failed", message: expect.stringContaining("add it to former") }]);
  const fixed = childrenOf(Game, { config: ConfigMap }, { former: [ClusterRole] });
  await fixed.reconcile(ctx, client, await server.get(Game, key), { config: {} });
  expect((await server.list(ClusterRole)).items).toEqual([]);
  await expect(server.get(Game, key)).rejects.toThrow("not found");
});

it("a kind of AnyKind that a new process hasn't seen stays listed", async () => {
  const { client, server, game } = await setUp();
  const declare = () => childrenOf(Game, { any: [AnyKind] });
  await declare().reconcile(ctx, client, game, { any: [{ apiVersion: "v1", kind: "ConfigMap", ...far }] });
  await declare().reconcile(ctx, client, await server.get(Game, key), { any: [] });
  expect(kindsOf(await server.get(Game, key))).toBe("ConfigMap");
});

it("controllers of one manager can't have two declarations for an owner with one field manager", async () => {
  const mgr = await Manager.create({ host: "http://127.0.0.1:1" } as never, { metrics: { bindAddress: "0" } } as never);
  const complete = (name: string): Promise<unknown> =>
    newControllerManagedBy(mgr)
      .named(name)
      .for(Game)
      .manages(childrenOf(Game, { config: ConfigMap }))
      .complete({ reconcile: async () => undefined });
  await complete("a");
  await expect(complete("b")).rejects.toThrow(
    "children of Game: two declarations have the fieldOwner game-controller and would delete the children of each other: set another one",
  );
});

it("a copy of a child, and an object that the operator has created beside its children, don't hold the finalizer", async () => {
  const { client, server, game } = await setUp();
  const ordered = childrenOf(Game, { config: ConfigMap }, { deletion: "ordered" });
  const { children } = await ordered.reconcile(ctx, client, game, { config: far });
  const { labels, annotations } = children.config!.metadata;
  const create = (metadata: object) =>
    server.create({ apiVersion: "v1", kind: "ConfigMap", metadata } as ConfigMap, { fieldOwner: "kubectl" });
  await create({ namespace: "other", name: "copy", labels, annotations });
  const reference = { apiVersion: "example.com/v1", kind: "Game", name: "chess", uid: game.metadata.uid };
  await create({ namespace: "default", name: "beside", ownerReferences: [{ ...reference, controller: true }] });
  await server.delete(Game, key);
  await ordered.reconcile(ctx, client, await server.get(Game, key), { config: far });
  await expect(server.get(Game, key)).rejects.toThrow("not found");
  expect((await server.list(ConfigMap)).items.map(({ metadata }) => metadata.name)).toContain("copy");
});

it("a kind that can't be listed holds the finalizer of an ordered deletion", async () => {
  let lists = 0;
  const { client, server, game } = await setUp([], {
    list: (next, kind, options) =>
      kind.kind === "ConfigMap" && ++lists > 2 ? Promise.reject(new Error("x")) : next.list(kind, options as never),
  });
  const ordered = childrenOf(Game, { config: ConfigMap }, { deletion: "ordered" });
  await ordered.reconcile(ctx, client, game, { config: { metadata: { finalizers: ["a.example.com/b"] } } });
  await server.delete(Game, key);
  lists = 0;
  await ordered.reconcile(ctx, client, await server.get(Game, key), { config: {} });
  expect((await server.get(Game, key)).metadata.finalizers).toEqual(["example.com/children"]);
});
