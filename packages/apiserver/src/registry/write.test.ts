import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const namespace = "/api/v1/namespaces/default";
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterEach(() => server.stop());

async function send(method: string, url: string, body: object, type = "application/json") {
  const headers = { "content-type": type };
  return JSON.parse(String((await server.handle({ method, url, headers, body: JSON.stringify(body) })).body));
}

it.each(["0", "7", "007"])("a dry run keeps the resource version %s of a new object", async (resourceVersion) => {
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion } };
  const created = await send("POST", `${namespace}/configmaps?dryRun=All`, map);
  expect(created.metadata.resourceVersion).toBe(resourceVersion);
  const metadata = { name: "a", resourceVersion };
  const service = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } };
  const put = await send("PUT", `${namespace}/services/a?dryRun=All`, service);
  expect(put.metadata.resourceVersion).toBe(resourceVersion);
});

it("an object that is too large with its field owners is stored without them, unless it is applied", async () => {
  const keys = Array.from({ length: 9000 }, (_, index) => [`${"k".repeat(80)}${index}`, "A"]);
  const large = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: Object.fromEntries(keys) };
  const created = await send("POST", `${namespace}/configmaps`, large);
  expect(created.metadata).toMatchObject({ name: "a" });
  expect(created.metadata.managedFields).toBeUndefined();
  const apply = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels: { a: "1" } } };
  const url = `${namespace}/configmaps/a?fieldManager=x`;
  const refused = await send("PATCH", url, apply, "application/apply-patch+yaml");
  expect(refused).toMatchObject({ code: 500, message: "etcdserver: request is too large" });
  const patched = await send("PATCH", url, { metadata: { labels: { a: "2" } } }, "application/merge-patch+json");
  expect(patched.metadata).toMatchObject({ labels: { a: "2" } });
  expect(patched.metadata.managedFields).toBeUndefined();
});

it("the address of a load balancer gets the mode VIP", async () => {
  const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
  await send("POST", `${namespace}/services`, { apiVersion: "v1", kind: "Service", metadata: { name: "a" }, spec });
  const status = {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }, { ip: "192.0.2.2", ipMode: "Proxy" }, { hostname: "a.b" }] },
  };
  const written = await send("PATCH", `${namespace}/services/a/status`, { status }, "application/merge-patch+json");
  expect(written.status.loadBalancer.ingress).toEqual([
    { ip: "192.0.2.1", ipMode: "VIP" },
    { ip: "192.0.2.2", ipMode: "Proxy" },
    { hostname: "a.b" },
  ]);
});
