import { describe, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { LeadershipLostError } from "../leader-election/leadership-guard.ts";
import { silentLogger } from "../log/logger.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { Cluster } from "./cluster.ts";
import type { ClusterOptions } from "./options.ts";

const Pod = groupVersion("", "v1").kind("Pod", { plural: "pods", scope: "Namespaced" });
const Secret = groupVersion("", "v1").kind("Secret", { plural: "secrets", scope: "Namespaced" });
const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "ns", name: "p" } };

const discovery = {
  kind: "APIResourceList",
  groupVersion: "v1",
  resources: [Pod, Secret].map(({ kind, plural }) => ({ name: plural, kind, namespaced: true, verbs: ["get"] })),
};

/** Creates a cluster whose server returns each written object, and lists no objects. */
async function setUp(options: ClusterOptions = {}) {
  const requests: TransportRequest[] = [];
  let version = 1;
  const transport: Transport = {
    async request(request) {
      if (request.path === "/api/v1") return { status: 200, headers: {}, body: discovery };
      requests.push(request);
      const { body, method, path } = request;
      if (method === "GET" && /\/(pods|secrets)$/.test(path)) {
        const kind = path.endsWith("pods") ? "PodList" : "SecretList";
        return { status: 200, headers: {}, body: { kind, metadata: { resourceVersion: "1" }, items: [] } };
      }
      const object = (body ?? { ...pod, metadata: { ...pod.metadata, uid: "u" } }) as typeof pod;
      const metadata = { ...object.metadata, uid: "u", resourceVersion: String(++version) };
      return { status: 200, headers: {}, body: { ...object, metadata } };
    },
    async stream({ signal }) {
      // A watch without events.
      const ended = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      return {
        close: async () => {},
        async *[Symbol.asyncIterator]() {
          yield {
            type: "BOOKMARK",
            object: { metadata: { resourceVersion: "1", annotations: { "k8s.io/initial-events-end": "true" } } },
          };
          await ended;
        },
      };
    },
    close: async () => {},
  };
  const cluster = await Cluster.create({ host: "https://east" }, { transport, logger: silentLogger, ...options });
  const stop = new AbortController();
  cluster.cache.inform(Pod);
  cluster.cache.inform(Secret);
  const done = cluster.start(stop.signal);
  await cluster.cache.waitForSync(AbortSignal.timeout(20_000));
  // Objects contain only their kind, so that the first write would request the plural.
  await cluster.mapper.mapping(Pod.group, Pod.version, Pod.kind);
  requests.length = 0;
  const end = async () => {
    stop.abort();
    await done;
  };
  return { cluster, requests, end };
}

describe("a cluster", () => {
  it("reads watched kinds from its cache, including its own writes", async () => {
    const { cluster, requests, end } = await setUp();
    await cluster.client.create(pod);
    expect((await cluster.client.list(Pod)).items).toHaveLength(1);
    expect(requests.map(({ method }) => method)).toEqual(["POST"]);
    await cluster.apiReader.list(Pod);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    await end();
  });

  it("reads only objects from the watch if enableReadYourWritesConsistency is false", async () => {
    const { cluster, end } = await setUp({ client: { cache: { enableReadYourWritesConsistency: false } } });
    await cluster.client.create(pod);
    expect((await cluster.client.list(Pod)).items).toEqual([]);
    await end();
  });

  it("reads only objects from the watch with disableReadYourWritesConsistency, and measures the other reads", async () => {
    const { cluster, end } = await setUp();
    const measured: unknown[] = [];
    cluster.adopt({
      mayWrite: () => true,
      observe: () => {},
      details: () => undefined,
      tracer: () => undefined,
      readMetrics: () => ({ waited: (...read) => void measured.push(read) }),
    });
    await cluster.client.create(pod);
    const key = { namespace: "ns", name: "p" };
    const options = { disableReadYourWritesConsistency: true };
    expect((await cluster.client.list(Pod, options)).items).toEqual([]);
    await expect(cluster.client.get(Pod, key, options)).rejects.toThrow('Pod "p" not found');
    expect(measured).toEqual([]);
    expect((await cluster.client.list(Pod)).items).toHaveLength(1);
    expect(await cluster.client.get(Pod, key)).toMatchObject(pod);
    expect(measured).toEqual([
      ["list", "success", expect.any(Number)],
      ["get", "success", 0],
    ]);
    await end();
  });

  it("reads the kinds in disableFor live, even if they are watched", async () => {
    const { cluster, requests, end } = await setUp({ client: { cache: { disableFor: [Secret] } } });
    await cluster.client.list(Pod);
    expect(requests).toEqual([]);
    await cluster.client.list(Secret);
    await cluster.client.get(Secret, { namespace: "ns", name: "s" });
    expect(requests.map(({ path }) => path)).toEqual(["/api/v1/secrets", "/api/v1/namespaces/ns/secrets/s"]);
    await end();
  });

  it("applies dryRun, fieldOwner and fieldValidation to all writes", async () => {
    const { cluster, requests, end } = await setUp({
      client: { dryRun: true, fieldOwner: "me", fieldValidation: "Strict" },
    });
    await cluster.client.create(pod);
    expect(requests[0]?.query).toMatchObject({ dryRun: "All", fieldManager: "me", fieldValidation: "Strict" });
    await end();
  });

  it("rejects writes while its manager may not write", async () => {
    const { cluster, requests, end } = await setUp();
    let isLeader = true;
    cluster.adopt({ mayWrite: () => isLeader, observe() {}, details: () => undefined, tracer: () => undefined });
    await cluster.client.create(pod);
    isLeader = false;
    await expect(cluster.client.create(pod)).rejects.toThrow(LeadershipLostError);
    await cluster.apiReader.list(Pod);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    await end();
  });
});
