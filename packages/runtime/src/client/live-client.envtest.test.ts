import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import type { Config } from "../config/config.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isNoMatch } from "../errors/no-match-error.ts";
import { isAlreadyExists, isConflict, isForbidden, isGone, isInvalid, isNotFound } from "../errors/predicates.ts";
import { silentLogger } from "../log/logger.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { createLiveClient } from "./live-client.ts";
import { listPages } from "./pages.ts";
import { jsonPatch, mergeFrom, rawPatch } from "./patch.ts";

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}
interface Game extends KubernetesObject {
  spec?: { replicas?: number; seed?: number | bigint; settings?: Record<string, unknown> };
  status?: { replicas?: number; phase?: string };
}

const v1 = groupVersion("", "v1");
const ConfigMap = v1.kind<ConfigMap>("ConfigMap");
const Namespace = v1.kind("Namespace");
const CustomResourceDefinition = groupVersion("apiextensions.k8s.io", "v1").kind("CustomResourceDefinition");
const Game = groupVersion("client.kubewright.dev", "v1").kind<Game>("Game");

const integer = { type: "integer" };
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.client.kubewright.dev" },
  spec: {
    group: "client.kubewright.dev",
    scope: "Namespaced",
    names: { plural: "games", singular: "game", kind: "Game", listKind: "GameList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        deprecated: true,
        deprecationWarning: "client.kubewright.dev/v1 Game is old",
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  replicas: { ...integer, minimum: 1, default: 1 },
                  seed: { ...integer, format: "int64" },
                  settings: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
              status: { type: "object", properties: { replicas: integer, phase: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};

const namespace = "default";
const environment = new TestEnvironment();
const warnings: string[] = [];
let config: Config;
let transport: Transport;
let client: Client;

beforeAll(async () => {
  config = await environment.start();
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  transport = createTransport(config, { logger });
  client = createLiveClient({ transport, mapper: createRestMapper(transport) });
});

afterAll(async () => {
  await transport?.close();
  await environment.stop();
});

const configMap = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, ...(labels ? { labels } : {}) },
  data,
});

describe("the live client with a real API server", () => {
  it("creates, reads, updates and deletes objects", async () => {
    const wanted = configMap("crud", { a: "1" });
    const created = await client.create(wanted);
    expect(created.metadata.uid).toBeTruthy();
    expect(wanted.metadata).toEqual({ name: "crud", namespace });
    await expect(client.create(wanted)).rejects.toSatisfy(isAlreadyExists);
    const read = await client.get(ConfigMap, { namespace, name: "crud" });
    expect(read).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } });
    const updated = await client.update({ ...read, data: { a: "2" } });
    expect(updated.data).toEqual({ a: "2" });
    await expect(client.update({ ...read, data: { a: "3" } })).rejects.toSatisfy(isConflict);
    await expect(client.delete(read, { preconditions: { uid: "other" } })).rejects.toSatisfy(isConflict);
    await client.delete(read, { dryRun: true });
    await client.delete(ConfigMap, { namespace, name: "crud" });
    await expect(client.get(ConfigMap, { namespace, name: "crud" })).rejects.toSatisfy(isNotFound);
  });

  it("sends merge, JSON, strategic and apply patches, and the optimistic lock", async () => {
    const before = await client.create(configMap("patch", { a: "1", b: "2" }));
    const after = structuredClone(before);
    after.data = { a: "1", c: "3" };
    const merged = await client.patch(after, mergeFrom(before));
    expect(merged.data).toEqual({ a: "1", c: "3" });
    after.data.d = "4";
    await expect(client.patch(after, mergeFrom(before, { optimisticLock: true }))).rejects.toSatisfy(isConflict);
    const same = await client.patch(merged, mergeFrom(merged));
    expect(same.metadata.resourceVersion).toBe(merged.metadata.resourceVersion);
    const json = await client.patch(merged, jsonPatch([{ op: "remove", path: "/data/c" }]));
    expect(json.data).toEqual({ a: "1" });
    const strategic = rawPatch("application/strategic-merge-patch+json", { data: { z: "26" } });
    expect((await client.patch(merged, strategic)).data).toEqual({ a: "1", z: "26" });
    const applied = await client.apply(configMap("patch", { q: "x" }), { fieldOwner: "test" });
    expect(applied.data).toEqual({ a: "1", z: "26", q: "x" });
    await expect(client.apply(configMap("patch", { a: "mine" }), { fieldOwner: "test" })).rejects.toSatisfy(isConflict);
    const forced = await client.apply(configMap("patch", { a: "mine" }), { fieldOwner: "test", force: true });
    expect(forced.data).toEqual({ a: "mine", z: "26" });
  });

  it("lists with selectors and in pages, and adds apiVersion and kind", async () => {
    for (let n = 0; n < 5; n++) await client.create(configMap(`page-${n}`, {}, { group: n < 3 ? "low" : "high" }));
    const low = await client.list(ConfigMap, { namespace, labels: { group: "low" } });
    expect(low.items.map((item) => `${item.apiVersion} ${item.kind} ${item.metadata.name}`)).toEqual([
      "v1 ConfigMap page-0",
      "v1 ConfigMap page-1",
      "v1 ConfigMap page-2",
    ]);
    const list = await client.list(ConfigMap, { namespace, fields: { ".metadata.name": "page-4" } });
    expect(list.items).toHaveLength(1);
    const names: string[] = [];
    const options = { namespace, labels: "group in (low,high)", limit: 2 };
    for await (const { items } of listPages(client, ConfigMap, options)) {
      names.push(...items.map((item) => item.metadata.name));
    }
    expect(names).toEqual(["page-0", "page-1", "page-2", "page-3", "page-4"]);
    await client.deleteAllOf(ConfigMap, { namespace, labels: { group: "low" } });
    expect((await client.list(ConfigMap, { namespace, labels: "group" })).items).toHaveLength(2);
  });

  it("finds a kind that is installed later, keeps big integers, and writes status and scale", async () => {
    const game: Game = {
      apiVersion: "client.kubewright.dev/v1",
      kind: "Game",
      metadata: { name: "g", namespace },
      spec: { seed: 9007199254740993n, settings: { deep: { n: 9223372036854775807n } } },
    };
    await expect(client.create(game)).rejects.toSatisfy(isNoMatch);
    await client.create(crd as KubernetesObject);
    const created = await retry(() => client.create(game));
    expect(created.spec).toEqual({ replicas: 1, seed: 9007199254740993n, settings: game.spec!.settings });
    expect(warnings).toContain("client.kubewright.dev/v1 Game is old");
    const withStatus = await client.status.update({
      ...created,
      spec: { replicas: 7 },
      status: { phase: "Up", replicas: 1 },
    });
    expect(withStatus.status).toEqual({ phase: "Up", replicas: 1 });
    expect(withStatus.spec!.replicas).toBe(1);
    const patched = await client.status.patch(
      { ...withStatus, status: { phase: "Down", replicas: 1 } },
      mergeFrom(withStatus, { optimisticLock: true }),
    );
    expect(patched.status!.phase).toBe("Down");
    const scale = await client.subResource("scale").get(game);
    expect(scale.kind).toBe("Scale");
    await client.subResource("scale").update(game, { ...scale, spec: { replicas: 4 } });
    const scaled = await client.get(Game, { namespace, name: "g" });
    expect(scaled.spec).toMatchObject({ replicas: 4, seed: 9007199254740993n });
    const invalid = client.update({ ...scaled, spec: { replicas: 0 } });
    await expect(invalid).rejects.toSatisfy(isInvalid);
    await expect(invalid).rejects.toMatchObject({
      code: 422,
      status: { details: { causes: [expect.objectContaining({ field: "spec.replicas" })] } },
    });
    await expect(
      client.update({ ...scaled, spec: { unknown: 1 } } as Game, { fieldValidation: "Strict" }),
    ).rejects.toThrow('unknown field "spec.unknown"');
  });

  it("explains how to add a missing status subresource, but not for deleted objects", async () => {
    const { spec } = crd as unknown as { spec: { names: object; versions: { subresources?: object }[] } };
    const versions = spec.versions.map(({ subresources, ...version }) => version);
    const names = { kind: "Plain", plural: "plains", listKind: "PlainList", singular: "plain" };
    const metadata = { name: "plains.client.kubewright.dev" };
    await client.create({ ...crd, metadata, spec: { ...spec, names, versions } } as KubernetesObject);
    const object = { apiVersion: "client.kubewright.dev/v1", kind: "Plain", metadata: { name: "p", namespace } };
    const plain = await retry(() => client.create(object));
    const configMap = await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace } });
    for (const stored of [plain, configMap]) {
      const refused = client.status.update(stored);
      await expect(refused).rejects.toSatisfy(isNotFound);
      const fix = "has no status subresource (to add it to your own kind, write +kubebuilder:subresource:status";
      await expect(refused).rejects.toThrow(`: ${stored.kind} ${fix}`);
    }
    const gone = { apiVersion: "v1", kind: "Pod", metadata: { name: "gone", namespace } };
    const patch = rawPatch("application/merge-patch+json", {});
    await expect(client.status.patch(gone, patch)).rejects.toThrow(/^pods "gone" not found$/);
    const predecessor = { ...configMap, metadata: { ...configMap.metadata, uid: "another" } };
    await expect(client.status.patch(predecessor, patch)).rejects.toThrow(
      /not found$|not find the requested resource$/,
    );
  });

  it("creates and reads cluster-scoped kinds", async () => {
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    const found = await client.get(Namespace, { name: "other" });
    expect(found.metadata.name).toBe("other");
    expect((await client.get(CustomResourceDefinition, { name: crd.metadata.name })).kind).toBe(
      "CustomResourceDefinition",
    );
  });

  it("watches from a resource version, ends on abort, and throws the error of a 410", async () => {
    const { metadata } = await client.list(ConfigMap, { namespace });
    const controller = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      const options = {
        namespace,
        resourceVersion: metadata.resourceVersion,
        labels: { watched: "yes" },
        signal: controller.signal,
      };
      for await (const { type, object } of client.watch(ConfigMap, options)) {
        seen.push(`${type} ${object.kind} ${object.metadata.name} ${object.data?.n}`);
        if (type === "DELETED") controller.abort();
      }
    })();
    const created = await client.create(configMap("watched", { n: "1" }, { watched: "yes" }));
    await client.update({ ...created, data: { n: "2" } });
    await client.delete(created);
    await watching;
    expect(seen).toEqual(["ADDED ConfigMap watched 1", "MODIFIED ConfigMap watched 2", "DELETED ConfigMap watched 2"]);
    // The server has no history of a kind from before its definition.
    const expired = (async () => {
      for await (const _event of client.watch(Game, { namespace, resourceVersion: "1" }));
    })();
    await expect(expired).rejects.toSatisfy(isGone);
  });

  it("impersonates another user, who has no permissions", async () => {
    const other = createTransport({ ...config, impersonate: { userName: "jane", groups: ["nobodies"] } });
    try {
      const jane = createLiveClient({ transport: other, mapper: createRestMapper(other) });
      const refused = jane.list(ConfigMap, { namespace });
      await expect(refused).rejects.toSatisfy(isForbidden);
      await expect(refused).rejects.toThrow('User "jane" cannot list resource "configmaps"');
    } finally {
      await other.close();
    }
  });
});

// The server serves a new kind a moment after it has stored the definition.
async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 50; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !(isNoMatch(error) || isNotFound(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
