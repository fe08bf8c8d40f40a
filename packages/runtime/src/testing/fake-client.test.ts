import { describe, expect, it } from "vitest";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { jsonPatch, mergeFrom, rawPatch } from "../client/patch.ts";
import { isAlreadyExists, isConflict, isInvalid, isNotFound, isUnsupportedMediaType } from "../errors/predicates.ts";
import { Game, game, key, Namespace, Pod, withStatus } from "./game.fixture.ts";
import { fakeClient } from "./index.ts";

describe("create of the fake client", () => {
  it("sets the fields that a server sets, and doesn't change the argument", async () => {
    const client = fakeClient();
    const object = game();
    const created = await client.create(object);
    expect(object).toEqual(game());
    expect(created.metadata).toMatchObject({ uid: expect.stringMatching(/^[0-9a-f-]{36}$/), generation: 1 });
    expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(0);
    expect(await client.get(Game, key)).toEqual(created);
  });

  it("rejects an existing name, and an object with a resource version", async () => {
    const client = fakeClient({ objects: [game()] });
    await expect(client.create(game())).rejects.toSatisfy(isAlreadyExists);
    await expect(client.create(await client.get(Game, key))).rejects.toThrow("resourceVersion should not be set");
  });

  it("generates names from generateName", async () => {
    const client = fakeClient();
    const made = await client.create(game({ name: undefined, generateName: "game-" }));
    expect(made.metadata.name).toMatch(/^game-[a-z0-9]{5}$/);
    await expect(client.create(game({ name: undefined }))).rejects.toThrow("neither a name nor a generateName");
  });

  it("drops the status if it is a subresource", async () => {
    const object = game({}, { status: { phase: "Ready" } });
    expect((await fakeClient(withStatus).create(object)).status).toBeUndefined();
    expect((await fakeClient().create(object)).status).toEqual({ phase: "Ready" });
  });

  it("stores nothing with a dry run", async () => {
    const client = fakeClient();
    expect((await client.create(game(), { dryRun: true })).metadata.uid).toBeDefined();
    await expect(client.get(Game, key)).rejects.toSatisfy(isNotFound);
  });

  it("requires a namespace for a namespaced kind, and ignores it for a cluster-scoped one", async () => {
    const client = fakeClient();
    await expect(client.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" } })).rejects.toThrow(
      "a namespace is required",
    );
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "n", namespace: "x" } });
    expect((await client.get(Namespace, { name: "n" })).metadata.namespace).toBeUndefined();
  });
});

describe("the initial objects of the fake client", () => {
  it("keep their status, UID and timestamps", async () => {
    const client = fakeClient({ ...withStatus, objects: [game({ uid: "u" }, { status: { phase: "Old" } })] });
    expect(await client.get(Game, key)).toMatchObject({ metadata: { uid: "u" }, status: { phase: "Old" } });
  });

  it("K14: have version 999 or their own version, and can be updated", async () => {
    const other = game({ name: "other", resourceVersion: "5" });
    const client = fakeClient({ objects: [game(), other] });
    const seeded = await client.get(Game, key);
    expect(seeded.metadata.resourceVersion).toBe("999");
    const read = await client.get(Game, { ...key, name: "other" });
    expect(read.metadata.resourceVersion).toBe("5");
    for (const object of [seeded, read]) {
      const { metadata } = await client.update({ ...object, spec: { replicas: 7 } });
      expect(Number(metadata.resourceVersion)).toBeGreaterThan(999);
    }
  });

  it("K14: must have finalizers if they are being deleted, and must be unique", () => {
    const deletionTimestamp = "2024-01-01T00:00:00Z";
    expect(() => fakeClient({ objects: [game({ deletionTimestamp })] })).toThrow("no finalizers");
    expect(() => fakeClient({ objects: [game(), game()] })).toThrow("occurs twice");
  });
});

describe("update of the fake client", () => {
  it("K14: increments the generation only for the spec, and the version for each change", async () => {
    const client = fakeClient({ ...withStatus, objects: [game()] });
    const before = await client.get(Game, key);
    const labelled = await client.update({ ...before, metadata: { ...before.metadata, labels: { a: "b" } } });
    expect(labelled.metadata.generation).toBe(1);
    expect(labelled.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    const scaled = await client.update({ ...labelled, spec: { replicas: 2 } });
    expect(scaled.metadata.generation).toBe(2);
    const same = await client.update(scaled);
    expect(same).toEqual(scaled);
  });

  it("stores no empty labels, annotations and lists", async () => {
    const client = fakeClient({ objects: [game({ labels: {} })] });
    const stored = await client.get(Game, key);
    const empty = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
    const updated = await client.update({ ...stored, metadata: { ...stored.metadata, ...empty } });
    expect(updated.metadata).toEqual(stored.metadata);
    expect(Object.keys(updated.metadata)).not.toContain("labels");
  });

  it("K14: reports a conflict for an old version, and for another UID", async () => {
    const client = fakeClient({ objects: [game()] });
    const stale = await client.get(Game, key);
    await client.update({ ...stale, spec: { replicas: 2 } });
    await expect(client.update({ ...stale, spec: { replicas: 3 } })).rejects.toSatisfy(isConflict);
    await expect(client.update(game({ uid: "another" }))).rejects.toSatisfy(isConflict);
  });

  it("requires a version only for custom kinds", async () => {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: {} };
    const client = fakeClient({ objects: [game(), configMap] });
    await expect(client.update(game())).rejects.toSatisfy(isInvalid);
    await expect(client.update({ ...configMap, data: { a: "b" } })).resolves.toMatchObject({ data: { a: "b" } });
  });

  it("keeps fields that only the server sets", async () => {
    const client = fakeClient({ objects: [game()] });
    const { metadata, ...rest } = await client.get(Game, key);
    const { uid: _u, creationTimestamp: _c, ...given } = metadata;
    const updated = await client.update({
      ...rest,
      metadata: { ...given, generation: 99, labels: { a: "b" } },
    } as Game);
    expect(updated.metadata).toMatchObject({
      uid: metadata.uid,
      creationTimestamp: metadata.creationTimestamp,
      generation: 1,
    });
  });

  it("rejects a missing object", async () => {
    await expect(fakeClient().update(game())).rejects.toSatisfy(isNotFound);
  });
});

describe("the status subresource of the fake client", () => {
  it("writes only the status, which other updates don't change", async () => {
    const client = fakeClient({ ...withStatus, objects: [game()] });
    const stored = await client.get(Game, key);
    const changed = { ...stored, spec: { replicas: 9 }, status: { phase: "Ready" } };
    const updated = await client.status.update(changed);
    expect(updated).toMatchObject({ spec: { replicas: 1 }, status: { phase: "Ready" }, metadata: { generation: 1 } });
    const whole = await client.update({ ...updated, spec: { replicas: 2 }, status: { phase: "No" } });
    expect(whole).toMatchObject({ spec: { replicas: 2 }, status: { phase: "Ready" } });
    const patched = await client.status.patch(
      whole,
      rawPatch("application/merge-patch+json", { status: { replicas: 2 }, spec: null }),
    );
    expect(patched).toMatchObject({ spec: { replicas: 2 }, status: { phase: "Ready", replicas: 2 } });
  });

  it("reports a conflict for an old version", async () => {
    const client = fakeClient({ ...withStatus, objects: [game()] });
    const stale = await client.get(Game, key);
    await client.status.update({ ...stale, status: { phase: "A" } });
    await expect(client.status.update({ ...stale, status: { phase: "B" } })).rejects.toSatisfy(isConflict);
  });

  it("K14: exists only for built-in kinds, and if an option or CRD declares it", async () => {
    const bare = fakeClient({ objects: [game()] });
    await expect(bare.status.update(await bare.get(Game, key))).rejects.toSatisfy(isNotFound);
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "games.games.example.com" },
      spec: {
        group: "games.example.com",
        scope: "Namespaced",
        names: { plural: "games", kind: "Game" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
            subresources: { status: {} },
          },
        ],
      },
    };
    const declared = fakeClient({ objects: [game()], crds: [crd as KubernetesObject] });
    await declared.status.update({ ...(await declared.get(Game, key)), status: { phase: "A" } });
    const pods = fakeClient({ objects: [{ apiVersion: "v1", kind: "Pod", metadata: key }] });
    await pods.status.update(await pods.get(Pod, key));
  });
});

describe("delete of the fake client", () => {
  it("removes an object without finalizers immediately", async () => {
    const client = fakeClient({ objects: [game()] });
    await client.delete(game());
    await expect(client.delete(Game, key)).rejects.toSatisfy(isNotFound);
  });

  it("K14: marks an object with finalizers, and removes it with its last finalizer", async () => {
    const client = fakeClient({ objects: [game({ finalizers: ["x/y"] })] });
    await client.delete(Game, key);
    const marked = await client.get(Game, key);
    expect(marked.metadata.deletionTimestamp).toBeDefined();
    expect(marked.metadata.generation).toBe(2);
    await client.delete(Game, key);
    expect(await client.get(Game, key)).toEqual(marked);
    const added = { ...marked, metadata: { ...marked.metadata, finalizers: ["x/y", "new/one"] } };
    await expect(client.update(added)).rejects.toSatisfy(isInvalid);
    await client.update({ ...marked, metadata: { ...marked.metadata, finalizers: [] } });
    await expect(client.get(Game, key)).rejects.toSatisfy(isNotFound);
  });

  it("keeps the deletion timestamp if an update lacks it", async () => {
    const client = fakeClient({ objects: [game({ finalizers: ["x/y"] })] });
    await client.delete(Game, key);
    const { deletionTimestamp, ...metadata } = (await client.get(Game, key)).metadata;
    expect(deletionTimestamp).toBeDefined();
    expect((await client.update({ ...game(), metadata })).metadata.deletionTimestamp).toBe(deletionTimestamp);
  });

  it("checks preconditions and supports dry runs", async () => {
    const client = fakeClient({ objects: [game()] });
    await expect(client.delete(Game, key, { preconditions: { uid: "another" } })).rejects.toSatisfy(isConflict);
    await expect(client.delete(game(), { preconditions: { resourceVersion: "0" } })).rejects.toSatisfy(isConflict);
    await client.delete(Game, key, { dryRun: true });
    await client.get(Game, key);
  });

  it("deletes all objects that selectors match", async () => {
    const objects = ["a", "b", "c"].map((name) => game({ name, labels: { odd: String(name !== "b") } }));
    const client = fakeClient({ objects });
    await client.deleteAllOf(Game, { namespace: "default", labels: { odd: "true" } });
    expect((await client.list(Game)).items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
    await expect(client.deleteAllOf(Pod)).rejects.toThrow("a namespace is required");
  });
});

describe("patch of the fake client", () => {
  it("merges objects, removes nulls and replaces lists", async () => {
    const client = fakeClient({
      objects: [game({ labels: { a: "1", b: "2" } }, { spec: { replicas: 1, ports: [1, 2] } })],
    });
    const before = await client.get(Game, key);
    const after = {
      ...before,
      metadata: { ...before.metadata, labels: { a: "1" } },
      spec: { replicas: 1, ports: [3] },
    };
    const patched = await client.patch(after as Game, mergeFrom(before));
    expect(patched).toMatchObject({
      metadata: { labels: { a: "1" }, generation: 2 },
      spec: { replicas: 1, ports: [3] },
    });
    expect(patched.metadata.labels).toEqual({ a: "1" });
  });

  it("reports a conflict only with the optimistic lock", async () => {
    const client = fakeClient({ objects: [game()] });
    const before = await client.get(Game, key);
    await client.update({ ...before, metadata: { ...before.metadata, labels: { a: "b" } } });
    const after = { ...before, spec: { replicas: 5 } };
    await expect(client.patch(after, mergeFrom(before, { optimisticLock: true }))).rejects.toSatisfy(isConflict);
    expect((await client.patch(after, mergeFrom(before))).spec).toEqual({ replicas: 5 });
  });

  it("applies JSON patches completely or not at all", async () => {
    const client = fakeClient({ objects: [game({}, { spec: { replicas: 1, ports: [1, 2] } })] });
    const patched = await client.patch(
      game(),
      jsonPatch([
        { op: "test", path: "/spec/replicas", value: 1 },
        { op: "add", path: "/spec/ports/-", value: 3 },
        { op: "remove", path: "/spec/ports/0" },
        { op: "add", path: "/spec/nested", value: { "a/b~c": "d" } },
        { op: "copy", from: "/spec/nested/a~1b~0c", path: "/spec/nested/e" },
      ]),
    );
    expect(patched.spec).toMatchObject({ ports: [2, 3], nested: { "a/b~c": "d", e: "d" } });
    const failing = jsonPatch([
      { op: "replace", path: "/spec/replicas", value: 7 },
      { op: "test", path: "/spec/replicas", value: 8 },
    ]);
    await expect(client.patch(game(), failing)).rejects.toSatisfy(isInvalid);
    expect((await client.get(Game, key)).spec?.replicas).toBe(1);
    await expect(client.patch(game(), jsonPatch([{ op: "remove", path: "/spec/none" }]))).rejects.toSatisfy(isInvalid);
  });

  it("rejects strategic merge patches for custom kinds", async () => {
    const client = fakeClient({ objects: [game()] });
    const patch = rawPatch("application/strategic-merge-patch+json", {});
    await expect(client.patch(game(), patch)).rejects.toSatisfy(isUnsupportedMediaType);
  });
});

describe("apply of the fake client", () => {
  const owner = { fieldOwner: "one" };

  it("creates and merges, and removes fields that its owner no longer applies", async () => {
    const client = fakeClient();
    const apply = (spec: Game["spec"], options = owner) => client.apply(game({}, { spec }), options);
    await apply({ replicas: 1, nested: { a: 1, b: 2 } });
    await apply({ ports: [1] }, { fieldOwner: "two" });
    expect((await apply({ nested: { b: 2 } })).spec).toEqual({ ports: [1], nested: { b: 2 } });
  });

  it("removes the last label and finalizer of an owner, and keeps the other metadata", async () => {
    const client = fakeClient();
    const apply = (metadata: ObjectMeta) => client.apply(game(metadata), owner);
    await apply({ labels: { a: "1" }, finalizers: ["example.com/a"] });
    const { metadata } = await apply({});
    expect([metadata.name, metadata.labels, metadata.finalizers]).toEqual(["one", undefined, undefined]);
    expect((await apply({ labels: {} })).metadata.labels).toBeUndefined();
    expect((await apply({})).metadata.name).toBe("one");
  });

  it("keeps the version if an identical apply contains undefined fields", async () => {
    const client = fakeClient();
    const apply = () => client.apply(game({}, { spec: { nested: { a: undefined, b: { c: undefined } } } }), owner);
    const { metadata } = await apply();
    const again = await apply();
    expect(again.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(JSON.stringify(again.spec)).toBe('{"nested":{"b":{}}}');
  });

  it("reports a conflict with another owner's value, unless forced", async () => {
    const client = fakeClient();
    await client.apply(game({}, { spec: { replicas: 1 } }), owner);
    const other = game({}, { spec: { replicas: 2 } });
    await expect(client.apply(other, { fieldOwner: "two" })).rejects.toThrow(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    );
    const forced = await client.apply(other, { fieldOwner: "two", force: true });
    expect(forced.spec).toEqual({ replicas: 2 });
    expect((await client.apply(game({}, { spec: {} }), owner)).spec).toEqual({ replicas: 2 });
  });

  it("writes the status only through the status subresource", async () => {
    const client = fakeClient(withStatus);
    await client.apply(game({}, { status: { phase: "No" } }), owner);
    expect((await client.get(Game, key)).status).toBeUndefined();
    const applied = await client.status.apply(game({}, { status: { phase: "Ready" } }), owner);
    expect(applied.status).toEqual({ phase: "Ready" });
    await expect(client.status.apply(game({ name: "none" }), owner)).rejects.toSatisfy(isNotFound);
  });
});
