// A settled reconcile with applyIfChanged sends no write, whatever the server makes of the configuration.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { Service } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import type { Client, Stored } from "../client/client.ts";
import { Cluster } from "../cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { silentLogger } from "../log/logger.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { applyIfChanged } from "./apply-if-changed.ts";
import { kindOf } from "./kind-of.ts";

interface Engine extends KubernetesObject {
  spec?: { cpu?: string | number; mode?: string; tags?: string[]; labels?: Record<string, string>; size?: number };
}
const Engine = groupVersion("example.com", "v1").kind<Engine>("Engine");
const quantity = { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "engines.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Engine", plural: "engines", singular: "engine", listKind: "EngineList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  cpu: quantity,
                  mode: { type: "string", default: "slow" },
                  tags: { type: "array", items: { type: "string" } },
                  labels: { type: "object", additionalProperties: { type: "string" } },
                  size: { type: "integer" },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const environment = new TestEnvironment({ crds: [crd] });
const own = { fieldOwner: "game" };
const stop = new AbortController();
const done: Promise<unknown>[] = [];
let config: Config;
let transport: Transport;
let writes: string[] = [];
/** One reads from a cache, the other from the server. */
const clients = new Map<string, Client>();

beforeAll(async () => {
  config = await environment.start();
  const connection = createTransport(config, { logger: silentLogger });
  transport = {
    ...{ stream: connection.stream.bind(connection), close: connection.close.bind(connection) },
    request: (request) => {
      if (request.method !== "GET") writes.push(`${request.method} ${request.path}`);
      return connection.request(request);
    },
  };
  for (const name of ["cached", "live"]) {
    const cluster = await Cluster.create(config, { transport, logger: silentLogger });
    if (name === "cached") for (const kind of [Deployment, Service, Engine]) cluster.cache.inform(kind as never);
    done.push(cluster.start(stop.signal));
    await cluster.cache.waitForSync(stop.signal);
    clients.set(name, cluster.client);
  }
});
afterAll(async () => {
  stop.abort();
  await Promise.allSettled(done);
  await transport.close();
  await environment.stop();
});
beforeEach(() => {
  writes = [];
});

const labels = { app: "web" };
let count = 0;
const metadata = () => ({ namespace: "default", name: `web-${++count}` });

function deployment(): Deployment {
  const container = {
    name: "web",
    image: "nginx",
    env: [{ name: "EMPTY", value: "" }],
    args: [],
    ports: [{ containerPort: 80 }],
    resources: { requests: { cpu: "1000m", memory: "1024Mi" }, limits: { cpu: "2.0" } },
  };
  const pod = {
    containers: [container],
    nodeSelector: {},
    imagePullSecrets: [],
    volumes: [{ name: "tmp", emptyDir: {} }],
  };
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels, annotations: {} }, spec: pod } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: metadata(), spec };
}
function service(): Service {
  const spec = { selector: labels, ports: [{ port: 80 }], externalIPs: [] };
  return { apiVersion: "v1", kind: "Service", metadata: metadata(), spec };
}
function engine(spec: Engine["spec"]): Engine {
  return { apiVersion: "example.com/v1", kind: "Engine", metadata: metadata(), spec };
}

/** Reconciles three times as a settled operator does, and returns the stored object. */
async function settled(client: Client, object: KubernetesObject): Promise<Stored<KubernetesObject>> {
  const key = { namespace: object.metadata?.namespace, name: object.metadata?.name ?? "" };
  const reader = clients.get("live") as Client;
  const before = await reader.get(kindOf(object), key);
  expect(before.metadata.managedFields).toHaveLength(1);
  writes = [];
  for (let round = 0; round < 3; round++) {
    const applied = await applyIfChanged(client, structuredClone(object), own);
    expect(applied.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  }
  expect(writes).toEqual([]);
  const after = await reader.get(kindOf(object), key);
  expect(after).toEqual(before);
  return after;
}

describe.each(["cached", "live"])("a settled reconcile with a %s client", (name) => {
  const client = () => clients.get(name) as Client;

  it.each<[string, () => KubernetesObject]>([
    ["defaults, quantities, empty lists and maps of a Deployment", deployment],
    ["defaults and allocated addresses of a Service", service],
    ["a default of a custom kind", () => engine({ size: 1 })],
    [
      "a quantity, an empty list and an empty map of a custom kind",
      () => engine({ cpu: "1000m", tags: [], labels: {} }),
    ],
    ["an empty spec of a custom kind", () => engine({})],
  ])("sends no write: %s", async (_, create) => {
    const object = create();
    await applyIfChanged(client(), object, own);
    expect(writes).toHaveLength(1);
    await settled(client(), object);
  });

  it("sends one write after a field was removed, and none later", async () => {
    const object = engine({ size: 1, tags: ["a"], labels: { a: "1", b: "2" } });
    await applyIfChanged(client(), object, own);
    const less = { ...object, spec: { tags: [], labels: { a: "1" } } };
    writes = [];
    await applyIfChanged(client(), less, own);
    expect(writes).toHaveLength(1);
    const after = await settled(client(), less);
    expect(after).toMatchObject({ spec: { mode: "slow", tags: [], labels: { a: "1" } } });
    expect((after as Engine).spec).not.toHaveProperty("size");
  });

  it("sends one write for another form of a quantity, which changes nothing, and none later", async () => {
    const object = deployment();
    const first = await applyIfChanged(client(), object, own);
    const other = structuredClone(object);
    const [container] = other.spec?.template.spec?.containers ?? [];
    Object.assign(container?.resources?.requests ?? {}, { cpu: "1", memory: "1Gi" });
    writes = [];
    const second = await applyIfChanged(client(), other, own);
    expect(writes).toHaveLength(1);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    await settled(client(), other);
  });

  it("sends no write after a change of the status", async () => {
    const object = deployment();
    const stored = await applyIfChanged(client(), object, own);
    await client().status.update({ ...stored, status: { observedGeneration: 1, replicas: 1 } } as Deployment);
    writes = [];
    for (let round = 0; round < 3; round++) await applyIfChanged(client(), object, own);
    expect(writes).toEqual([]);
  });
});

it("after a restart, the first apply is sent, and changes nothing", async () => {
  const object = deployment();
  const first = await applyIfChanged(clients.get("live") as Client, object, own);
  const restarted = await Cluster.create(config, { transport, logger: silentLogger });
  writes = [];
  const second = await applyIfChanged(restarted.client, object, own);
  expect(writes).toHaveLength(1);
  expect(second.metadata).toEqual(first.metadata);
});
