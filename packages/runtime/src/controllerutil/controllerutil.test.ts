import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import type { Client } from "../client/client.ts";
import { ApiError } from "../errors/api-error.ts";
import {
  findStatusCondition,
  isStatusConditionTrue,
  removeStatusCondition,
  type StatusCondition,
  setStatusCondition,
} from "./conditions.ts";
import { createOrPatch, createOrUpdate } from "./create-or-update.ts";
import { addFinalizer, containsFinalizer, removeFinalizer } from "./finalizers.ts";
import {
  AlreadyOwnedError,
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "./owner-references.ts";

interface Game extends KubernetesObject {
  spec?: Record<string, unknown>;
  status?: { phase?: string; conditions?: StatusCondition[] };
}

const game = (name: string, extra: Partial<Game> = {}): Game => ({
  apiVersion: "example.com/v1",
  kind: "Game",
  metadata: { name, namespace: "ns", uid: `uid-${name}` },
  ...extra,
});
const child = (): Game => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "ns" } });

describe("owner references", () => {
  it("K9: setControllerReference sets the owner as the only controller, and blocks its deletion", () => {
    const object = child();
    setControllerReference(game("a"), object);
    const reference = {
      apiVersion: "example.com/v1",
      kind: "Game",
      name: "a",
      uid: "uid-a",
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(object.metadata?.ownerReferences).toEqual([reference]);
    expect(getControllerOf(object)).toEqual(reference);
  });

  it("K9: setControllerReference replaces the reference to the same owner, even with another API version", () => {
    const object = child();
    setOwnerReference(game("first"), object);
    setControllerReference(game("a"), object);
    setControllerReference({ ...game("a"), apiVersion: "example.com/v2" }, object, { blockOwnerDeletion: false });
    expect(object.metadata?.ownerReferences?.map(({ name, apiVersion }) => `${name} ${apiVersion}`)).toEqual([
      "first example.com/v1",
      "a example.com/v2",
    ]);
    expect(getControllerOf(object)?.blockOwnerDeletion).toBe(false);
  });

  it("K9: setControllerReference rejects a second controller", () => {
    const object = child();
    setControllerReference(game("a"), object);
    expect(() => setControllerReference(game("b"), object)).toThrow(AlreadyOwnedError);
    expect(() => setControllerReference(game("b"), object)).toThrow("ConfigMap ns/c is already controlled by Game a");
  });

  it("K9: reject owners in another namespace, namespaced owners of cluster-scoped objects, and missing UIDs", () => {
    const otherNamespaced = { ...child(), metadata: { name: "c", namespace: "other" } };
    expect(() => setControllerReference(game("a"), otherNamespaced)).toThrow("another namespace");
    const clusterScoped = { ...child(), metadata: { name: "c" } };
    expect(() => setControllerReference(game("a"), clusterScoped)).toThrow("cluster-scoped");
    expect(() => setControllerReference({ ...game("a"), metadata: { name: "a", namespace: "ns" } }, child())).toThrow(
      "uid",
    );
    const clusterOwner = { ...game("a"), metadata: { name: "a", uid: "u" } };
    setControllerReference(clusterOwner, otherNamespaced);
    expect(getControllerOf(otherNamespaced)?.name).toBe("a");
  });

  it("removeControllerReference removes the controller only if it is the given owner", () => {
    const object = child();
    setOwnerReference(game("other"), object);
    expect([hasControllerReference(object), removeControllerReference(game("other"), object)]).toEqual([false, false]);
    setControllerReference(game("a"), object);
    expect(removeControllerReference(game("b"), object)).toBe(false);
    expect(hasControllerReference(object)).toBe(true);
    expect(removeControllerReference({ ...game("a"), apiVersion: "example.com/v2" }, object)).toBe(true);
    expect(object.metadata?.ownerReferences?.map(({ name }) => name)).toEqual(["other"]);
  });

  it("removeOwnerReference removes an owner, and returns whether there was one", () => {
    const object = child();
    setOwnerReference(game("a"), object);
    expect(hasOwnerReference(game("a"), object)).toBe(true);
    expect([removeOwnerReference(game("a"), object), removeOwnerReference(game("a"), object)]).toEqual([true, false]);
    expect(hasOwnerReference(game("a"), object)).toBe(false);
  });
});

describe("finalizers", () => {
  it("are added and removed only once", () => {
    const object = child();
    expect([addFinalizer(object, "x/y"), addFinalizer(object, "x/y")]).toEqual([true, false]);
    expect([containsFinalizer(object, "x/y"), object.metadata?.finalizers]).toEqual([true, ["x/y"]]);
    expect([removeFinalizer(object, "x/y"), removeFinalizer(object, "x/y")]).toEqual([true, false]);
    expect(object.metadata?.finalizers).toEqual([]);
  });
});

describe("conditions", () => {
  const ready = (status: "True" | "False", message = "") => ({ type: "Ready", status, reason: "Because", message });

  it("are set in an object's status, and their transition time changes only with their status", () => {
    const object = game("a");
    expect(setStatusCondition(object, ready("False"), new Date("2026-01-01T00:00:00.5Z"))).toBe(true);
    expect(object.status?.conditions).toEqual([{ ...ready("False"), lastTransitionTime: "2026-01-01T00:00:00Z" }]);
    expect(setStatusCondition(object, ready("False"), new Date("2026-01-02T00:00:00Z"))).toBe(false);
    expect(setStatusCondition(object, ready("False", "why"), new Date("2026-01-02T00:00:00Z"))).toBe(true);
    expect(object.status?.conditions?.[0]?.lastTransitionTime).toBe("2026-01-01T00:00:00Z");
    expect(setStatusCondition(object, ready("True"), new Date("2026-01-03T00:00:00Z"))).toBe(true);
    expect(object.status?.conditions?.[0]?.lastTransitionTime).toBe("2026-01-03T00:00:00Z");
    expect(isStatusConditionTrue(object, "Ready")).toBe(true);
    expect(isStatusConditionTrue(game("b"), "Ready")).toBe(false);
  });

  it("are set, found and removed in an array, too", () => {
    const conditions: StatusCondition[] = [];
    setStatusCondition(conditions, { ...ready("True"), observedGeneration: 3 });
    expect(findStatusCondition(conditions, "Ready")?.observedGeneration).toBe(3);
    expect(setStatusCondition(conditions, { ...ready("True"), observedGeneration: 4 })).toBe(true);
    expect(removeStatusCondition(conditions, "Ready")).toBe(true);
    expect(conditions).toEqual([]);
  });
});

describe("createOrUpdate and createOrPatch", () => {
  function clientOf(stored: Game | undefined) {
    const calls: string[] = [];
    const answer = (object: Game) => ({
      ...structuredClone(object),
      metadata: { ...object.metadata, resourceVersion: "2" },
    });
    const client = {
      get: async () => {
        if (!stored) throw ApiError.notFound("Game", "a");
        return structuredClone(stored);
      },
      create: async (object: Game) => {
        calls.push("create");
        return answer(object);
      },
      update: async (object: Game) => {
        calls.push("update");
        return answer(object);
      },
      patch: async (object: Game, patch: { data(object: Game): unknown }) => {
        calls.push(`patch ${JSON.stringify(patch.data(object))}`);
        return answer(object);
      },
      status: {
        patch: async (object: Game, patch: { data(object: Game): unknown }) => {
          calls.push(`status ${JSON.stringify(patch.data(object))}`);
          return answer(object);
        },
      },
    } as unknown as Client;
    return { client, calls };
  }

  it("K10: create a missing object, and replace the argument by the stored object", async () => {
    const { client, calls } = clientOf(undefined);
    const object = game("a");
    const result = await createOrUpdate(client, object, (current) => {
      current.spec = { replicas: 1 };
    });
    expect([result, calls]).toEqual(["created", ["create"]]);
    expect(object).toMatchObject({ spec: { replicas: 1 }, metadata: { resourceVersion: "2" } });
  });

  it("K10: update only differences, where undefined, null and empty are equal", async () => {
    const stored = game("a", { spec: { replicas: 1, image: "x" } });
    const { client, calls } = clientOf(stored);
    const object = game("a");
    const unchanged = await createOrUpdate(client, object, (current) => {
      current.metadata!.labels = {};
      current.metadata!.finalizers = [];
      current.spec!.replicas = 1;
    });
    expect([unchanged, calls, object.spec?.image]).toEqual(["unchanged", [], "x"]);
    const updated = await createOrUpdate(client, object, (current) => {
      current.spec!.replicas = 2;
    });
    expect([updated, calls]).toEqual(["updated", ["update"]]);
    expect(object.metadata?.resourceVersion).toBe("2");
  });

  it("K10: reject a change of the name or the namespace", async () => {
    const { client, calls } = clientOf(game("a"));
    const rename = createOrUpdate(client, game("a"), (current) => {
      current.metadata!.name = "b";
    });
    await expect(rename).rejects.toThrow("must not change the name or namespace");
    expect(calls).toEqual([]);
  });

  it("K11: patch the changes, then the status, which isn't written on creation", async () => {
    const { client, calls } = clientOf(game("a", { spec: { replicas: 1 }, status: { phase: "Old" } }));
    const both = await createOrPatch(client, game("a"), (current) => {
      current.spec!.replicas = 2;
      current.status = { phase: "New" };
    });
    expect([both, calls.splice(0)]).toEqual([
      "updatedStatus",
      ['patch {"spec":{"replicas":2}}', 'status {"status":{"phase":"New"}}'],
    ]);
    const statusOnly = await createOrPatch(client, game("a"), (current) => {
      current.status = { phase: "New" };
    });
    expect([statusOnly, calls.splice(0)]).toEqual(["updatedStatusOnly", ['status {"status":{"phase":"New"}}']]);
    expect([await createOrPatch(client, game("a"), () => {}), calls]).toEqual(["unchanged", []]);
    const fresh = clientOf(undefined);
    await createOrPatch(fresh.client, game("a"), (current) => {
      current.status = { phase: "New" };
    });
    expect(fresh.calls).toEqual(["create"]);
  });
});
