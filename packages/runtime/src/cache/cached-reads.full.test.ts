// Cached reads must equal live reads: immediately after own writes, and after the watch has caught up for writes of others.
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConfigMap, Namespace, Secret } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Client, ListOptions } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
import { Cluster } from "../cluster/cluster.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isConflict, isNotFound } from "../errors/predicates.ts";
import { seededRandom } from "../json/random.fixture.ts";
import { silentLogger } from "../log/logger.ts";
import { eventually } from "../testing/eventually.ts";

const operations = 2_000;
const namespaces = ["one", "two"];
/** The label selector of the cache for ConfigMaps: writes move objects in and out of it. */
const scope = "kept=yes";

const environment = new TestEnvironment();
const stop = new AbortController();
let cluster: Cluster;
/** Writes objects without the knowledge of the cluster's cache, and reads them live. */
let other: Cluster;
let running: Promise<void>;

beforeAll(async () => {
  const config = await environment.start();
  cluster = await Cluster.create(config, {
    logger: silentLogger,
    cache: { byObject: [{ object: ConfigMap, label: scope }] },
  });
  other = await Cluster.create(config, { logger: silentLogger });
  for (const name of namespaces) await other.client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const kind of [ConfigMap, Secret, Namespace]) cluster.cache.inform(kind as Kind);
  running = cluster.start(stop.signal);
  await cluster.cache.waitForSync(stop.signal);
});

afterAll(async () => {
  stop.abort();
  await running;
  await other.close();
  await environment.stop();
});

it(`cached reads equal live reads over ${operations} random writes, deletions, selectors and namespaces`, async () => {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? Date.now() % 1_000_000);
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const counts: Record<string, number> = {};

  for (let at = 0; at < operations; at++) {
    const operation = await write(random, pick);
    counts[operation.name] = (counts[operation.name] ?? 0) + 1;
    const read = randomRead(pick);
    const label = `seed ${seed}, operation ${at}: ${operation.name} of ${operation.isOwn ? "ours" : "others"}`;
    // Writes of others arrive through the watch; own writes must be visible without it.
    if (!operation.isOwn) await eventually(() => caughtUp(operation.kind, label), { timeout: 20_000, interval: 5 });
    expect(await cached(read), label).toEqual(await live(read));
  }
  expect(Object.values(counts).every((count) => count > operations / 100)).toBe(true);
});

async function caughtUp(kind: Kind, label: string): Promise<void> {
  const all = { kind, options: {} };
  expect(await cached(all), label).toEqual(await live(all));
}

interface Read {
  kind: Kind;
  options: ListOptions;
}

function randomRead(pick: <T>(values: readonly T[]) => T): Read {
  const kind = pick([ConfigMap, ConfigMap, Secret, Namespace]) as Kind;
  const labels = pick([undefined, "color=red", "color!=red", "color in (red,blue)", "!color", "rev>2", "color,rev<3"]);
  return { kind, options: { labels, namespace: pick([undefined, ...namespaces]) } };
}

async function cached({ kind, options }: Read): Promise<string[]> {
  return identities((await cluster.client.list(kind, options)).items);
}

async function live({ kind, options }: Read): Promise<string[]> {
  const labels = kind === (ConfigMap as Kind) ? [scope, options.labels].filter(Boolean).join(",") : options.labels;
  return identities((await other.apiReader.list(kind, { ...options, labels })).items);
}

function identities(items: readonly KubernetesObject[]): string[] {
  return items
    .filter(({ metadata }) => !metadata?.namespace || namespaces.includes(metadata.namespace))
    .map(({ metadata }) => `${metadata?.namespace}/${metadata?.name} ${metadata?.uid} ${metadata?.resourceVersion}`)
    .sort();
}

/** Sends one write, either with the cluster's own client or with another one. Conflicts and missing objects are expected. */
async function write(
  random: () => number,
  pick: <T>(values: readonly T[]) => T,
): Promise<{ name: string; isOwn: boolean; kind: Kind }> {
  const isOwn = random() < 0.7;
  const client: Client = isOwn ? cluster.client : other.client;
  const isNamespace = random() < 0.02;
  const kind = (isNamespace ? Namespace : pick([ConfigMap, Secret])) as Kind;
  const namespace = isNamespace ? undefined : pick(namespaces);
  const name = isNamespace ? `n${Math.floor(random() * 1000)}` : `o${Math.floor(random() * 8)}`;
  const labels = {
    ...(random() < 0.7 ? { kept: "yes" } : {}),
    ...(random() < 0.6 ? { color: pick(["red", "blue", "green"]) } : {}),
    ...(random() < 0.6 ? { rev: pick(["1", "2", "3", "x"]) } : {}),
  };
  const finalizers = random() < 0.2 ? ["test.kubewright.dev/held"] : [];
  const body = { apiVersion: "v1", kind: kind.kind, metadata: { namespace, name, labels, finalizers } };
  const find = () => other.apiReader.get(kind, { namespace, name });
  const actions: Record<string, () => Promise<unknown>> = {
    create: () => client.create(body),
    update: async () => {
      const stored = await find();
      return client.update({ ...stored, metadata: { ...stored.metadata, labels, finalizers } });
    },
    patch: async () => {
      const stored = await find();
      return client.patch({ ...stored, metadata: { ...stored.metadata, labels } }, mergeFrom(stored));
    },
    apply: () => client.apply(body, { fieldOwner: "test", force: true }),
    release: async () => {
      const stored = await find();
      return client.patch({ ...stored, metadata: { ...stored.metadata, finalizers: [] } }, mergeFrom(stored));
    },
    delete: () => client.delete(body),
    deleteAllOf: async () => {
      if (kind !== (Namespace as Kind)) await client.deleteAllOf(kind, { namespace, labels: `color=${labels.color}` });
    },
  };
  const chosen = pick([
    "create",
    "create",
    "update",
    "update",
    "patch",
    "apply",
    "release",
    "delete",
    "delete",
    "deleteAllOf",
  ]);
  try {
    await actions[chosen]?.();
  } catch (error) {
    const isExpected =
      isConflict(error) || isNotFound(error) || /already exists|forbidden: no new finalizers/.test(String(error));
    if (!isExpected) throw error;
  }
  return { name: chosen, isOwn, kind };
}
