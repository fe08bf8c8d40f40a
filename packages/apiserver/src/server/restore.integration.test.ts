// After the server returns to a past state, all its parts must continue from that state.
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./server.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
type Body = any;

const namespace = "/api/v1/namespaces/default";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = "/apis/example.com/v1/things";
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false });
});
afterEach(() => server.stop());

async function send(method: string, url: string, body?: object): Promise<Body> {
  const text = body ? { body: JSON.stringify(body) } : {};
  const headers = { "content-type": "application/json" };
  return JSON.parse(String((await server.handle({ method, url, headers, ...text })).body));
}

function createMap(name: string, owner?: Body): Promise<Body> {
  const { apiVersion, kind, metadata } = owner ?? {};
  const ownerReferences = owner ? [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }] : [];
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ownerReferences } };
  return send("POST", `${namespace}/configmaps`, map);
}

async function codeOf(url: string): Promise<number> {
  return (await server.handle({ method: "GET", url, headers: {} })).status;
}

/** Writes so often that later writes get revisions that were also used before the return. */
async function writeMuch(): Promise<void> {
  for (let index = 0; index < 30; index++) await createMap(`filler-${index}`);
}

it("garbage is collected, even if its owner existed only before the return", async () => {
  const owner = await createMap("owner");
  const { revision } = server;
  await writeMuch();
  await createMap("undone", owner);
  server.restore(revision);
  await createMap("dependent", owner);
  await send("DELETE", `${namespace}/configmaps/owner`);
  await expect.poll(() => codeOf(`${namespace}/configmaps/dependent`)).toBe(404);
});

it("restored owners keep their dependents", async () => {
  const owner = await createMap("owner");
  const { revision } = server;
  await writeMuch();
  await send("DELETE", `${namespace}/configmaps/owner`);
  server.restore(revision);
  await createMap("dependent", owner);
  await createMap("orphan", { ...owner, metadata: { ...owner.metadata, uid: "gone" } });
  await expect.poll(() => codeOf(`${namespace}/configmaps/orphan`)).toBe(404);
  expect(await codeOf(`${namespace}/configmaps/dependent`)).toBe(200);
});

it("deleted namespaces delete their objects", async () => {
  const { revision } = server;
  await writeMuch();
  server.restore(revision);
  await send("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } });
  await send("DELETE", "/api/v1/namespaces/team");
  await expect.poll(() => codeOf("/api/v1/namespaces/team")).toBe(404);
});

it("custom resources are served while their definition is stored", async () => {
  const spec = {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "things", singular: "thing", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  };
  const metadata = { name: "things.example.com" };
  const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec };
  const before = server.revision;
  await writeMuch();
  await send("POST", definitions, definition);
  await expect.poll(() => codeOf(things)).toBe(200);
  await send("POST", things, { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } });
  const { revision } = server;
  await send("DELETE", `${definitions}/things.example.com`);
  await expect.poll(() => codeOf(things)).toBe(404);
  server.restore(revision);
  expect((await send("GET", things)).items).toHaveLength(1);
  server.restore(before);
  expect(await codeOf(things)).toBe(404);
  await send("POST", definitions, definition);
  await expect.poll(() => codeOf(things)).toBe(200);
  expect((await send("GET", things)).items).toEqual([]);
});

it("Services have the addresses of the past state", async () => {
  const create = (name: string, spec: object): Promise<Body> =>
    send("POST", `${namespace}/services`, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...spec },
    });
  await create("kept", { clusterIP: "10.0.0.14" });
  const { revision } = server;
  await create("undone", { clusterIP: "10.0.0.15" });
  await send("DELETE", `${namespace}/services/kept`);
  server.restore(revision);
  expect((await create("a", { clusterIP: "10.0.0.14" })).message).toContain("provided IP is already allocated");
  expect((await create("b", { clusterIP: "10.0.0.15" })).spec.clusterIP).toBe("10.0.0.15");
});
