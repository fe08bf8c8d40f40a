import { setMaxListeners } from "node:events";
import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { createUnitTestServer, type UnitTestServer, type UnitTestServerOptions } from "./server.ts";
import type { KindUse } from "./undefined-kinds.ts";

const start = (options: Partial<UnitTestServerOptions> = {}): Promise<UnitTestServer> =>
  createUnitTestServer({ crds: [], objects: [], indexes: [], statusSubresource: [], ...options });

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
type Body = any;

async function send(server: UnitTestServer, method: string, url: string, body?: JsonObject): Promise<Body> {
  const headers = { "content-type": "application/json" };
  const answer = await server.handle({ method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return JSON.parse(String(answer.body));
}

const game: KindUse = { group: "example.com", version: "v1", kind: "Game" };
const games = "/apis/example.com/v1/namespaces/shop/games";
const chess = { apiVersion: "example.com/v1", kind: "Game", metadata: { name: "chess", namespace: "shop" } };

const definition = (names: JsonObject, more: JsonObject = {}, versions = ["v1", "v2"]): JsonObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${names.plural}.example.com` },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names,
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
    })),
    ...more,
  },
});

describe("built-in kinds", () => {
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "a", namespace: "shop" },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } } },
  };
  const jobs = "/apis/batch/v1/namespaces/shop/jobs";

  it("are validated except for the status, of which a test writes only the needed part", async () => {
    const server = await start();
    const created = await send(server, "POST", jobs, job);
    const status = { conditions: [{ type: "Complete", status: "True" }] };
    const ended = await send(server, "PUT", `${jobs}/a/status`, { ...created, status });
    expect(ended).toMatchObject({ status });
    const bad = await send(server, "PUT", `${jobs}/a`, { ...ended, spec: { ...ended.spec, parallelism: -1 } });
    expect(bad.message).toContain("spec.parallelism: Invalid value: -1: must be greater than or equal to 0");
  });
});

describe("kinds without a definition", () => {
  it("are served with any fields after their first use", async () => {
    const server = await start();
    expect((await server.handle({ method: "GET", url: games, headers: {} })).status).toBe(404);
    expect(server.resource({ ...game, inNamespace: true })).toEqual({ plural: "games", namespaced: true });
    await send(server, "POST", games, { ...chess, any: [{ field: null }] });
    expect((await send(server, "GET", games)).items).toMatchObject([
      { any: [{ field: null }], metadata: chess.metadata },
    ]);
    expect((await send(server, "GET", "/apis/example.com/v1")).resources).toMatchObject([{ name: "games" }]);
  });

  it("have the scope that a client declares, or the scope of their first object", async () => {
    const server = await start();
    const scopeOf = (use: Partial<KindUse>): boolean | undefined => server.resource({ ...game, ...use })?.namespaced;
    expect(scopeOf({})).toBe(true);
    expect(scopeOf({ inNamespace: false })).toBe(false);
    expect(scopeOf({ inNamespace: true })).toBe(true);
    await send(server, "POST", games, chess);
    expect(scopeOf({ inNamespace: false })).toBe(true);
    expect(scopeOf({ kind: "World", scope: "Cluster" })).toBe(false);
    expect(scopeOf({ kind: "World", inNamespace: true })).toBe(false);
  });

  it("keep their objects if a client uses another plural or version", async () => {
    const server = await start({ objects: [chess] });
    expect(server.resource({ ...game, plural: "gamez" })?.plural).toBe("gamez");
    const url = "/apis/example.com/v1/namespaces/shop/gamez/chess";
    expect((await send(server, "GET", url)).metadata.name).toBe("chess");
    expect(server.resource({ ...game, version: "v2" })?.plural).toBe("gamez");
    expect((await send(server, "GET", url.replace("/v1/", "/v2/"))).apiVersion).toBe("example.com/v2");
  });

  it("aren't served in built-in groups, nor if a definition describes other versions", async () => {
    const server = await start({ crds: [definition({ plural: "games", kind: "Game" })] });
    expect(server.resource({ group: "", version: "v1", kind: "Foo" })).toBeUndefined();
    expect(server.resource({ group: "apps", version: "v1beta1", kind: "Deployment" })).toBeUndefined();
    expect(server.resource({ ...game, version: "v3" })).toBeUndefined();
    expect(server.resource(game)?.plural).toBe("games");
  });

  it("have a status subresource if they are declared with one", async () => {
    const server = await start({ statusSubresource: [{ group: "example.com", kind: "Game" }], objects: [chess] });
    const written = await send(server, "PATCH", `${games}/chess/status`);
    expect(written.code).toBe(415);
  });
});

describe("definitions", () => {
  const names = { plural: "games", kind: "Game" };

  it("serve the same resources on the second server, which has its own objects", async () => {
    const crds = [definition(names)];
    const uids = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const server = await start({ crds });
      const stored = await send(
        server,
        "GET",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.example.com",
      );
      expect(stored.status.conditions.map(({ type, status }: Body) => `${type}=${status}`)).toEqual([
        "NamesAccepted=True",
        "Established=True",
      ]);
      uids.add(stored.metadata.uid);
      expect((await send(server, "GET", games)).items).toEqual([]);
      const created = await send(server, "POST", games, { ...chess, spec: {}, unknown: 1 });
      expect([created.metadata.name, created.unknown]).toEqual(["chess", undefined]);
    }
    expect(uids.size).toBe(2);
  });

  it("are rejected with the message of the real server", async () => {
    const crds = [definition({ plural: "games", kind: "" })];
    await expect(start({ crds })).rejects.toThrow("spec.names.kind: Required value");
  });

  it("with a conversion webhook store objects in the used version, without conversion", async () => {
    const webhook = { clientConfig: { url: "https://localhost:1" }, conversionReviewVersions: ["v1"] };
    const server = await start({ crds: [definition(names, { conversion: { strategy: "Webhook", webhook } })] });
    const inV2 = games.replace("/v1/", "/v2/");
    server.resource({ ...game, version: "v2" });
    const created = await send(server, "POST", inV2, { ...chess, apiVersion: "example.com/v2" });
    expect(created.apiVersion).toBe("example.com/v2");
    server.resource(game);
    expect((await send(server, "GET", `${games}/chess`)).message).toMatch(
      'Game "chess" was written as example.com/v2 and is used as example.com/v1: only the webhook',
    );
  });
});

describe("the objects at the start", () => {
  it("get defaults and metadata, keep their status, and precede all writes", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a", namespace: "n", labels: {} },
      spec: { containers: [{ name: "main", image: "x" }] },
      status: { phase: "Running" },
    };
    const server = await start({ objects: [pod, { ...pod, metadata: { name: "b", namespace: "n", uid: "own" } }] });
    const { items, metadata } = await send(server, "GET", "/api/v1/namespaces/n/pods");
    expect(metadata.resourceVersion).toBe("999");
    expect(items[0]).toMatchObject({ spec: { restartPolicy: "Always" }, status: { phase: "Running" } });
    expect(items[0].metadata).toMatchObject({ resourceVersion: "999", generation: 1, uid: expect.any(String) });
    expect(items[0].metadata).not.toHaveProperty("labels");
    expect(items[1].metadata.uid).toBe("own");
  });

  it("are rejected with an error that contains their name", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
    await expect(start({ objects: [pod] })).rejects.toThrow('objects: Pod "a": a namespace is required');
    const wrong = { ...pod, metadata: { name: "a", namespace: "n" }, spec: { containers: 1 } };
    await expect(start({ objects: [wrong] })).rejects.toThrow('objects: Pod "a": ');
    await expect(start({ objects: [{ ...pod, kind: "Prod" }] })).rejects.toThrow(
      'objects: Prod "a": no kind Prod in v1',
    );
  });
});

describe("a server for unit tests", () => {
  it("doesn't require namespaces, and runs neither controllers nor the garbage collector", async () => {
    const server = await start();
    const map = (name: string): JsonObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const maps = "/api/v1/namespaces/missing/configmaps";
    for (const policy of ["Foreground", "Orphan", "Background"]) {
      expect((await send(server, "POST", maps, map("a"))).metadata.namespace).toBe("missing");
      await send(server, "DELETE", `${maps}/a?propagationPolicy=${policy}`);
      expect((await send(server, "GET", `${maps}/a`)).reason).toBe("NotFound");
    }
    expect((await send(server, "GET", "/api/v1/namespaces")).items).toEqual([]);
    await send(server, "POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
    await send(server, "DELETE", "/api/v1/namespaces/n");
    expect((await send(server, "GET", "/api/v1/namespaces/n")).reason).toBe("NotFound");
  });

  it("uses the given clock", async () => {
    const clock = {
      now: () => 0,
      date: () => new Date("2030-01-02T03:04:05Z"),
      setTimeout: () => 0,
      clearTimeout: () => {},
    };
    const server = await start({ clock, crds: [definition({ plural: "games", kind: "Game" })] });
    const created = await send(server, "POST", games, chess);
    expect(created.metadata.creationTimestamp).toBe("2030-01-02T03:04:05Z");
  });
});

it("selects objects by one of several values of an index, or by their absence", async () => {
  const values = (object: JsonObject): string[] => (object.spec as { tags: string[] }).tags;
  const index = { group: "example.com", kind: "Game", field: "spec.tags", values };
  const tagged = (name: string, ...tags: string[]): JsonObject => ({
    ...chess,
    metadata: { name, namespace: "shop" },
    spec: { tags },
  });
  const server = await start({ indexes: [index], objects: [tagged("a", "x", "y"), tagged("b", "y"), tagged("c")] });
  const selected = async (selector: string): Promise<string[]> =>
    (await send(server, "GET", `${games}?fieldSelector=${encodeURIComponent(selector)}`)).items.map(
      ({ metadata }: Body) => metadata.name,
    );
  expect(await selected("spec.tags=y")).toEqual(["a", "b"]);
  expect(await selected("spec.tags=x,metadata.name=a")).toEqual(["a"]);
  expect(await selected("spec.tags!=x")).toEqual(["b", "c"]);
});

it("supports many watches without a warning, and ends each by its signal", async () => {
  const server = await start();
  const warnings: string[] = [];
  const warned = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", warned);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const ended = Array.from({ length: 20 }, async () => {
    const url = "/api/v1/pods?watch=true";
    const { stream } = await server.handle({ method: "GET", url, headers: {}, signal: stop.signal });
    for await (const _ of stream ?? []) throw new Error("an empty server has no events");
  });
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await Promise.all(ended);
  process.off("warning", warned);
  expect(warnings).toEqual([]);
});
