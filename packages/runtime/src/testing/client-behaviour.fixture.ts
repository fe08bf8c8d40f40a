import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import type { Client } from "../client/client.ts";
import { jsonPatch, mergeFrom, rawPatch } from "../client/patch.ts";
import { withFieldOwner } from "../client/wrappers/with-options.ts";
import { isAlreadyExists, isConflict, isInvalid, isNotFound, isUnsupportedMediaType } from "../errors/predicates.ts";

export interface Widget extends KubernetesObject {
  spec?: { replicas?: number; list?: number[]; map?: Record<string, string> };
  status?: { phase?: string };
}

export const Widget: Kind<Widget> = groupVersion("test.kubewright.io", "v1").kind<Widget>("Widget");
const ConfigMap = groupVersion("", "v1").kind("ConfigMap");

/** The CRD of {@link Widget}, with a schema that accepts all fields, and a status subresource. */
export const widgetCrd: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.test.kubewright.io" },
  spec: {
    group: "test.kubewright.io",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
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
} as KubernetesObject;

/** Defines the tests of a client, which fake and real servers must pass. */
export function describeClient(name: string, open: () => Promise<{ client: Client; close(): Promise<void> }>): void {
  describe(name, () => {
    let client: Client;
    let close: () => Promise<void>;
    let count = 0;
    beforeAll(async () => {
      ({ client, close } = await open());
    });
    afterAll(() => close?.());

    const widget = (more: Partial<Widget> = {}): Widget => ({
      apiVersion: "test.kubewright.io/v1",
      kind: "Widget",
      spec: { replicas: 1 },
      ...more,
      metadata: { name: `w${count++}`, namespace: "default", ...more.metadata },
    });
    const create = (more?: Partial<Widget>) => client.create(widget(more));
    const keyOf = ({ metadata }: KubernetesObject) => ({ namespace: "default", name: metadata?.name ?? "" });

    it("creates with generation 1 and without status", async () => {
      const created = await create({ status: { phase: "No" } });
      expect(created.metadata.generation).toBe(1);
      expect(created.status).toBeUndefined();
      await expect(client.create(widget({ metadata: { name: created.metadata.name } }))).rejects.toSatisfy(
        isAlreadyExists,
      );
      await expect(client.create({ ...created, metadata: { ...created.metadata, name: "other" } })).rejects.toThrow(
        "resourceVersion should not be set on objects to be created",
      );
    });

    it("rejects writes without an object, and doesn't throw synchronously", async () => {
      const nothing = undefined as unknown as Widget;
      for (const wrapped of [client, withFieldOwner(client, "tests")]) {
        for (const write of [(): Promise<unknown> => wrapped.create(nothing), () => wrapped.delete(nothing)]) {
          await expect(write()).rejects.toThrow(TypeError);
        }
      }
    });

    it("K5, H8: writes only the status with status.update, and increments the generation only for the spec", async () => {
      let stored = await create();
      stored = await client.update({ ...stored, metadata: { ...stored.metadata, labels: { a: "b" } } });
      expect(stored.metadata.generation).toBe(1);
      stored = await client.status.update({ ...stored, spec: { replicas: 9 }, status: { phase: "A" } });
      expect(stored).toMatchObject({ metadata: { generation: 1 }, spec: { replicas: 1 }, status: { phase: "A" } });
      stored = await client.update({ ...stored, spec: { replicas: 2 }, status: { phase: "B" } });
      expect(stored).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 2 }, status: { phase: "A" } });
    });

    it("keeps the resource version if nothing changes", async () => {
      const stored = await create();
      const again = await client.update(stored);
      expect(again.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
    });

    it("K5: reports a conflict for old versions, and requires a version for custom resources", async () => {
      const stale = await create();
      await client.update({ ...stale, spec: { replicas: 2 } });
      await expect(client.update({ ...stale, spec: { replicas: 3 } })).rejects.toSatisfy(isConflict);
      await expect(client.status.update({ ...stale, status: { phase: "A" } })).rejects.toSatisfy(isConflict);
      await expect(client.update(widget({ metadata: { name: stale.metadata.name } }))).rejects.toSatisfy(isInvalid);
      await expect(client.update(widget())).rejects.toSatisfy(isNotFound);
    });

    it("K4: replaces lists with merge patches, with or without lock, and rejects strategic ones", async () => {
      const before = await create({ spec: { replicas: 1, list: [1, 2], map: { a: "1", b: "2" } } });
      const after = { ...before, spec: { list: [3], map: { b: "2", c: "3" } } };
      await client.patch({ ...before, spec: { ...before.spec, replicas: 7 } }, mergeFrom(before));
      await expect(client.patch(after, mergeFrom(before, { optimisticLock: true }))).rejects.toSatisfy(isConflict);
      const patched = await client.patch(after, mergeFrom(before));
      expect(patched.spec).toEqual({ list: [3], map: { b: "2", c: "3" } });
      const strategic = rawPatch("application/strategic-merge-patch+json", { spec: { list: [4] } });
      await expect(client.patch(after, strategic)).rejects.toSatisfy(isUnsupportedMediaType);
    });

    it("applies JSON patches, and reports failed tests", async () => {
      const stored = await create({ spec: { list: [1, 2] } });
      const patch = jsonPatch([{ op: "add", path: "/spec/list/1", value: 9 }]);
      expect((await client.patch(stored, patch)).spec?.list).toEqual([1, 9, 2]);
      const failing = jsonPatch([{ op: "test", path: "/spec/list/0", value: 5 }]);
      await expect(client.patch(stored, failing)).rejects.toSatisfy(isInvalid);
    });

    it("marks a deleted object with finalizers, and removes it with its last finalizer", async () => {
      const stored = await create({ metadata: { finalizers: ["test.kubewright.io/x"] } });
      await client.delete(stored);
      const marked = await client.get(Widget, keyOf(stored));
      expect(marked.metadata.deletionTimestamp).toBeDefined();
      expect(marked.metadata.generation).toBe(2);
      const more = { ...marked.metadata, finalizers: ["test.kubewright.io/x", "test.kubewright.io/y"] };
      await expect(client.update({ ...marked, metadata: more })).rejects.toSatisfy(isInvalid);
      await client.update({ ...marked, metadata: { ...marked.metadata, finalizers: [] } });
      await expect(client.get(Widget, keyOf(stored))).rejects.toSatisfy(isNotFound);
    });

    it("validates dry runs of each verb, and stores nothing", async () => {
      const dryRun = true;
      await expect(client.create(widget(), { dryRun })).resolves.toMatchObject({ metadata: { generation: 1 } });
      const stored = await create({ metadata: { labels: { dry: "yes" } } });
      const key = keyOf(stored);
      const changed = { ...stored, spec: { replicas: 2 } };
      expect((await client.update(changed, { dryRun })).spec?.replicas).toBe(2);
      expect((await client.patch(changed, mergeFrom(stored), { dryRun })).spec?.replicas).toBe(2);
      expect((await client.status.update({ ...stored, status: { phase: "A" } }, { dryRun })).status?.phase).toBe("A");
      const applied = widget({ metadata: { name: key.name }, spec: { list: [1] } });
      expect((await client.apply(applied, { fieldOwner: "dry", dryRun })).spec?.list).toEqual([1]);
      const stale = { ...changed, metadata: { ...stored.metadata, resourceVersion: "1" } };
      await expect(client.update(stale, { dryRun })).rejects.toSatisfy(isConflict);
      await client.delete(stored, { dryRun });
      await client.deleteAllOf(Widget, { namespace: "default", labels: { dry: "yes" }, dryRun });
      expect(await client.get(Widget, key)).toEqual(stored);
    });

    it("checks preconditions", async () => {
      const stored = await create();
      await expect(client.delete(stored, { preconditions: { uid: "another" } })).rejects.toSatisfy(isConflict);
      await client.delete(stored, { preconditions: { uid: stored.metadata.uid } });
    });

    it("applies fields per owner, removes them, reports conflicts, and overwrites with force", async () => {
      const target = widget();
      const apply = (spec: Widget["spec"], fieldOwner: string, force = false) =>
        client.apply({ ...target, spec }, { fieldOwner, force });
      await apply({ replicas: 1, map: { a: "1", b: "2" } }, "one");
      await apply({ list: [1] }, "two");
      expect((await apply({ map: { b: "2" } }, "one")).spec).toEqual({ list: [1], map: { b: "2" } });
      await expect(apply({ map: { b: "3" } }, "two")).rejects.toSatisfy(isConflict);
      expect((await apply({ map: { b: "3" } }, "two", true)).spec).toEqual({ map: { b: "3" } });
    });

    it("lists by labels and in pages", async () => {
      const labels = { page: "yes" };
      for (let index = 0; index < 3; index++) await create({ metadata: { labels } });
      const first = await client.list(Widget, { namespace: "default", labels, limit: 2 });
      expect(first.items).toHaveLength(2);
      const rest = await client.list(Widget, {
        namespace: "default",
        labels: "page in (yes)",
        limit: 2,
        continue: first.metadata.continue,
      });
      expect(rest.items).toHaveLength(1);
      expect(rest.metadata.continue ?? "").toBe("");
      await client.deleteAllOf(Widget, { namespace: "default", labels });
      expect((await client.list(Widget, { labels })).items).toEqual([]);
    });

    it("reads only metadata, under the requested kind", async () => {
      const labels = { meta: "yes" };
      const stored = await create({ metadata: { labels } });
      const options = { metadataOnly: true };
      const { apiVersion, kind, metadata } = stored;
      const read = await client.get(Widget, keyOf(stored), options);
      expect(Object.keys(read).sort()).toEqual(["apiVersion", "kind", "metadata"]);
      expect([read.apiVersion, read.kind, read.metadata.uid]).toEqual([apiVersion, kind, metadata.uid]);
      const { items } = await client.list(Widget, { namespace: "default", labels, ...options });
      expect(items).toEqual([read]);
    });

    it("ends a pending watch when its consumer stops", async () => {
      const iterator = client.watch(Widget, { namespace: "default", labels: "never=there" })[Symbol.asyncIterator]();
      const pending = iterator.next();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await iterator.return?.();
      expect((await pending).done).toBe(true);
    });

    it("watches from a version, and reports objects that enter and leave a selector", async () => {
      const { metadata } = await client.list(Widget);
      let stored = await create();
      const steps: Record<string, string>[] = [{ seen: "yes" }, { seen: "yes", more: "1" }, {}];
      for (const labels of steps) {
        stored = await client.update({ ...stored, metadata: { ...stored.metadata, labels } });
      }
      const stop = new AbortController();
      const types: string[] = [];
      const options = { labels: "seen=yes", resourceVersion: metadata.resourceVersion, signal: stop.signal };
      for await (const { type } of client.watch(Widget, options)) if (types.push(type) === 3) stop.abort();
      expect(types).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    });

    it("updates built-in kinds without a resource version", async () => {
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "default" } };
      await client.create({ ...map, data: { a: "1" } } as KubernetesObject);
      await client.update({ ...map, data: { a: "2" } } as KubernetesObject);
      expect(await client.get(ConfigMap, keyOf(map))).toMatchObject({ data: { a: "2" } });
    });
  });
}
