import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Service } from "../api/core/v1.ts";
import { ctx, Game, setUp } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { declare, prunes } from "./declaration.ts";
import { AnyKind } from "./types.ts";

const both = childrenOf(Game, { deployment: Deployment, service: Service });

describe("declarations and values that aren't valid", () => {
  const cyclic = (): unknown =>
    childrenOf(Game, { a: ConfigMap, b: ConfigMap }, { entries: { a: { after: ["b"] }, b: { after: ["a"] } } });

  it("rejects declarations", () => {
    expect(cyclic).toThrow("childrenOf(Game): after must not form a cycle: a → b → a");
    const untyped = childrenOf as (...values: unknown[]) => unknown;
    expect(() => untyped(Game, { a: ConfigMap }, { entries: { a: { after: ["x"] } } })).toThrow("a is after x");
    expect(() => untyped(Game, { a: ConfigMap }, { entries: { x: {} } })).toThrow("entries.x isn't declared");
    expect(() => untyped(Game, { a: undefined })).toThrow("a must be a kind, and is undefined");
    expect(() => untyped(Game, { a: AnyKind })).toThrow("write [AnyKind]");
    expect(() => untyped(Game, { a: ConfigMap }, { fieldOwner: "" })).toThrow(
      "fieldOwner must have 1 to 121 characters",
    );
    expect(() => untyped(Game, { a: ConfigMap }, { entries: { a: { createOnly: ["metadata.labels"] } } })).toThrow(
      "createOnly must be a path such as spec.replicas",
    );
  });

  it.each([
    ["a missing entry", {}, "config is missing: set it to undefined or []"],
    ["an unknown entry", { config: undefined, list: [], x: {} }, "x isn't declared"],
    ["a status", { config: { status: {} }, list: [] }, "status must not be set"],
    ["generateName", { config: { metadata: { generateName: "a-" } }, list: [] }, "generateName must not be set"],
    ["an item without a name", { config: undefined, list: [{}] }, "an item of a list needs metadata.name"],
    ["an object instead of a list", { config: undefined, list: {} }, "list must be a list"],
    ["a list instead of an object", { config: [], list: [] }, "config must be an object"],
    ["null", { config: null, list: [] }, "config must be an object"],
    [
      "a second controller",
      {
        config: {
          metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true }] },
        },
        list: [],
      },
      "ownerReferences must not contain a controller",
    ],
    ["duplicates", { config: {}, list: [{ metadata: { name: "chess" } }] }, "ConfigMap chess is wanted twice"],
  ])("rejects %s before the first request", async (_name, wanted, message) => {
    const { client, game } = await setUp();
    const children = childrenOf(Game, { config: ConfigMap, list: [ConfigMap] });
    await expect(children.reconcile(ctx, client, game, wanted as never)).rejects.toThrow(message);
    expect(client.requests).toEqual([]);
  });

  it("rejects an owner of another kind, and one that isn't stored", async () => {
    const { client, game } = await setUp();
    const { uid: _, ...metadata } = game.metadata;
    const wanted = { deployment: undefined, service: undefined };
    await expect(both.reconcile(ctx, client, { ...game, kind: "Pod" }, wanted)).rejects.toThrow(
      "must be a stored Game",
    );
    await expect(both.reconcile(ctx, client, { ...game, metadata } as never, wanted)).rejects.toThrow(
      "must be a stored",
    );
  });
});

it.each([
  ["v1", "Namespace", false],
  ["v1", "PersistentVolume", false],
  ["v1", "PersistentVolumeClaim", false],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition", false],
  ["example.com/v1", "Namespace", true],
  ["v1", "ConfigMap", true],
])("a child of %s %s that left the set is pruned by default: %s", (apiVersion, kind, isPruned) => {
  const declaration = declare(Game, { any: [AnyKind] });
  const metadata = { name: "a", annotations: { "apply.kubewright.io/child": "any" } };
  expect(prunes(declaration, { apiVersion, kind, metadata })).toBe(isPruned);
});
