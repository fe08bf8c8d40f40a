import { afterAll, beforeAll, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isNotFound } from "../errors/predicates.ts";
import { silentLogger } from "../log/logger.ts";
import { ConfigMap } from "../manager/widget.fixture.ts";
import { Cluster } from "./cluster.ts";

const environment = new TestEnvironment();
const namespaces = ["one", "two", "three"];
let config: Config;

beforeAll(async () => {
  config = await environment.start();
});

afterAll(() => environment.stop());

it("reads include own writes in each of several namespaces, whose watches have reached different versions", async () => {
  const defaultNamespaces = Object.fromEntries(namespaces.map((name) => [name, {}]));
  const cluster = await Cluster.create(config, { logger: silentLogger, cache: { defaultNamespaces } });
  const { client } = cluster;
  for (const name of namespaces) await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  cluster.cache.inform(ConfigMap);
  const stop = new AbortController();
  const done = cluster.start(stop.signal);
  await cluster.cache.waitForSync(AbortSignal.timeout(30_000));

  const stale: string[] = [];
  /** Writes to an object of a namespace, and reads it at once. */
  const write = async (namespace: string, round: number): Promise<void> => {
    const key = { namespace, name: `map-${round % 5}` };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { round: String(round) } };
    const existing = await client.get(ConfigMap, key).catch(() => undefined);
    const written = existing
      ? await client.update({ ...existing, data: body.data })
      : await client.create<ConfigMap>(body);
    const seen = await client.get(ConfigMap, key);
    const listed = (await client.list(ConfigMap, { namespace })).items.find(
      ({ metadata }) => metadata.name === key.name,
    );
    const versions = [seen, listed].map((object) => object?.metadata.resourceVersion);
    if (versions.some((version) => version !== written.metadata.resourceVersion)) {
      stale.push(
        `${namespace}/${key.name} in round ${round}: ${versions.join()}, not ${written.metadata.resourceVersion}`,
      );
    }
    if (round % 7 !== 6) return;
    await client.delete(ConfigMap, key);
    const isGone = await client.get(ConfigMap, key).then(() => false, isNotFound);
    const { items } = await client.list(ConfigMap);
    const isListed = items.some(({ metadata }) => metadata.namespace === namespace && metadata.name === key.name);
    if (!isGone || isListed) stale.push(`${namespace}/${key.name} in round ${round}: still there`);
  };
  // A write to one namespace raises the versions of all, but only its own watch delivers it.
  await Promise.all(
    namespaces.map(async (namespace) => {
      for (let round = 0; round < 40; round++) await write(namespace, round);
    }),
  );
  expect(stale).toEqual([]);

  stop.abort();
  await done;
});
