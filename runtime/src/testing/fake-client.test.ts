import { describe, expect, it } from "vitest";
import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { jsonPatch, mergeFrom, rawPatch } from "../client/patch.ts";
import { isAlreadyExists, isConflict, isInvalid, isNotFound, isUnsupportedMediaType } from "../errors/predicates.ts";
import { Game, game, key, Namespace, Pod, withStatus } from "./game.fixture.ts";
import { fakeClient } from "./index.ts";

describe("creating", () => {
  it("fills in what the server fills in, and leaves the argument alone", async () => {
    const client = fakeClient();
    const object = game();
    const created = await client.create(object);
    expect(object).toEqual(game());
    expect(created.metadata).toMatchObject({ uid: expect.stringMatching(/^[0-9a-f-]{36}$/), generation: 1 });
    expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(0);
    expect(await client.get(Game, key)).toEqual(created);
  });

  it("refuses a name that is taken, and an object that was read", async () => {
    const client = fakeClient({ objects: [game()] });
    await expect(client.create(game())).rejects.toSatisfy(isAlreadyExists);
    await expect(client.create(await client.get(Game, key))).rejects.toThrow("resourceVersion should not be set");
  });

  it("makes names from generateName", async () => {
    const client = fakeClient();
    const made = await client.create(game({ name: undefined, generateName: "game-" }));
    expect(made.metadata.name).toMatch(/^game-[a-z0-9]{5}$/);
    await expect(client.create(game({ name: undefined }))).rejects.toThrow("neither a name nor a generateName");
  });

  it("drops the status where it is a subresource", async () => {
    const object = game({}, { status: { phase: "Ready" } });
    expect((await fakeClient(withStatus).create(object)).status).toBeUndefined();
    expect((await fakeClient().create(object)).status).toEqual({ phase: "Ready" });
  });

  it("stores nothing on a dry run", async () => {
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

describe("seeded objects", () => {
  it("keep their status, uid and timestamps", async () => {
    const client = fakeClient({ ...withStatus, objects: [game({ uid: "u" }, { status: { phase: "Old" } })] });
    expect(await client.get(Game, key)).toMatchObject({ metadata: { uid: "u" }, status: { phase: "Old" } });
  });

  it("K14: have version 999, or their own, and are changed by the next writes", async () => {
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

  it("K14: can't be deleted without finalizers, nor be there twice", () => {
    const deletionTimestamp = "2024-01-01T00:00:00Z";
    expect(() => fakeClient({ objects: [game({ deletionTimestamp })] })).toThrow("no finalizers");
    expect(() => fakeClient({ objects: [game(), game()] })).toThrow("occurs twice");
  });
});

describe("updating", () => {
  it("K14: counts a generation for the spec only, and a version for every change", async () => {
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

  it("K14: conflicts on a stale version, and on another uid", async () => {
    const client = fakeClient({ objects: [game()] });
    const stale = await client.get(Game, key);
    await client.update({ ...stale, spec: { replicas: 2 } });
    await expect(client.update({ ...stale, spec: { replicas: 3 } })).rejects.toSatisfy(isConflict);
    await expect(client.update(game({ uid: "another" }))).rejects.toSatisfy(isConflict);
  });

  it("demands a version for custom kinds only", async () => {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: {} };
    const client = fakeClient({ objects: [game(), configMap] });
    await expect(client.update(game())).rejects.toSatisfy(isInvalid);
    await expect(client.update({ ...configMap, data: { a: "b" } })).resolves.toMatchObject({ data: { a: "b" } });
  });

  it("keeps what only the server writes", async () => {
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

  it("rejects what isn't there", async () => {
    await expect(fakeClient().update(game())).rejects.toSatisfy(isNotFound);
  });
});

describe("the status subresource", () => {
  it("takes the status alone, and leaves it alone elsewhere", async () => {
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

  it("conflicts on a stale version too", async () => {
    const client = fakeClient({ ...withStatus, objects: [game()] });
    const stale = await client.get(Game, key);
    await client.status.update({ ...stale, status: { phase: "A" } });
    await expect(client.status.update({ ...stale, status: { phase: "B" } })).rejects.toSatisfy(isConflict);
  });

  it("K14: isn't there unless declared, by option or CRD; Kubernetes' own kinds have it", async () => {
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

describe("deleting", () => {
  it("removes at once without finalizers", async () => {
    const client = fakeClient({ objects: [game()] });
    await client.delete(game());
    await expect(client.delete(Game, key)).rejects.toSatisfy(isNotFound);
  });

  it("K14: only marks an object with finalizers, and removes it with the last of them", async () => {
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

  it("keeps the deletion timestamp, whatever the update contains", async () => {
    const client = fakeClient({ objects: [game({ finalizers: ["x/y"] })] });
    await client.delete(Game, key);
    const { deletionTimestamp, ...metadata } = (await client.get(Game, key)).metadata;
    expect(deletionTimestamp).toBeDefined();
    expect((await client.update({ ...game(), metadata })).metadata.deletionTimestamp).toBe(deletionTimestamp);
  });

  it("keeps to preconditions and dry runs", async () => {
    const client = fakeClient({ objects: [game()] });
    await expect(client.delete(Game, key, { preconditions: { uid: "another" } })).rejects.toSatisfy(isConflict);
    await expect(client.delete(game(), { preconditions: { resourceVersion: "0" } })).rejects.toSatisfy(isConflict);
    await client.delete(Game, key, { dryRun: true });
    await client.get(Game, key);
  });

  it("deletes all that selectors match", async () => {
    const objects = ["a", "b", "c"].map((name) => game({ name, labels: { odd: String(name !== "b") } }));
    const client = fakeClient({ objects });
    await client.deleteAllOf(Game, { namespace: "default", labels: { odd: "true" } });
    expect((await client.list(Game)).items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
    await expect(client.deleteAllOf(Pod)).rejects.toThrow("a namespace is required");
  });
});

describe("patching", () => {
  it("merges, removing nulls and replacing lists", async () => {
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

  it("conflicts only with the optimistic lock", async () => {
    const client = fakeClient({ objects: [game()] });
    const before = await client.get(Game, key);
    await client.update({ ...before, metadata: { ...before.metadata, labels: { a: "b" } } });
    const after = { ...before, spec: { replicas: 5 } };
    await expect(client.patch(after, mergeFrom(before, { optimisticLock: true }))).rejects.toSatisfy(isConflict);
    expect((await client.patch(after, mergeFrom(before))).spec).toEqual({ replicas: 5 });
  });

  it("applies JSON patches, all or nothing", async () => {
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

  it("refuses strategic merge patches, saying what it takes", async () => {
    const client = fakeClient({ objects: [game()] });
    const patch = rawPatch("application/strategic-merge-patch+json", {});
    await expect(client.patch(game(), patch)).rejects.toSatisfy(isUnsupportedMediaType);
  });
});

describe("applying", () => {
  const one = { fieldOwner: "one" };

  it("creates, merges, and drops what its owner no longer applies", async () => {
    const client = fakeClient();
    const apply = (spec: Game["spec"], options = one) => client.apply(game({}, { spec }), options);
    await apply({ replicas: 1, nested: { a: 1, b: 2 } });
    await apply({ ports: [1] }, { fieldOwner: "two" });
    expect((await apply({ nested: { b: 2 } })).spec).toEqual({ ports: [1], nested: { b: 2 } });
  });

  it("drops the last label and finalizer of an owner, and keeps the rest of the metadata", async () => {
    const client = fakeClient();
    const apply = (metadata: ObjectMeta) => client.apply(game(metadata), one);
    await apply({ labels: { a: "1" }, finalizers: ["example.com/a"] });
    const { metadata } = await apply({});
    expect([metadata.name, metadata.labels, metadata.finalizers]).toEqual(["one", undefined, undefined]);
    expect((await apply({ labels: {} })).metadata.labels).toBeUndefined();
    expect((await apply({})).metadata.name).toBe("one");
  });

  it("makes no new version of an identical apply with fields that are undefined", async () => {
    const client = fakeClient();
    const apply = () => client.apply(game({}, { spec: { nested: { a: undefined, b: { c: undefined } } } }), one);
    const { metadata } = await apply();
    const again = await apply();
    expect(again.metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(JSON.stringify(again.spec)).toBe('{"nested":{"b":{}}}');
  });

  it("conflicts over another owner's value, unless forced", async () => {
    const client = fakeClient();
    await client.apply(game({}, { spec: { replicas: 1 } }), one);
    const other = game({}, { spec: { replicas: 2 } });
    await expect(client.apply(other, { fieldOwner: "two" })).rejects.toThrow(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    );
    const forced = await client.apply(other, { fieldOwner: "two", force: true });
    expect(forced.spec).toEqual({ replicas: 2 });
    expect((await client.apply(game({}, { spec: {} }), one)).spec).toEqual({ replicas: 2 });
  });

  it("applies the status by its own door", async () => {
    const client = fakeClient(withStatus);
    await client.apply(game({}, { status: { phase: "No" } }), one);
    expect((await client.get(Game, key)).status).toBeUndefined();
    const applied = await client.status.apply(game({}, { status: { phase: "Ready" } }), one);
    expect(applied.status).toEqual({ phase: "Ready" });
    await expect(client.status.apply(game({ name: "none" }), one)).rejects.toSatisfy(isNotFound);
  });
});
