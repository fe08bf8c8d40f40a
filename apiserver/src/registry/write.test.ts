import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server.ts";

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
