import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import type { ApiServerOptions } from "../engine/options.ts";
import { startApiServer } from "../server/server.ts";

const path = "/api/v1/componentstatuses";

/** Reads a path of a new server. */
async function read(url: string, options: ApiServerOptions = {}): Promise<JsonObject> {
  const server = await startApiServer({ http: false, authorization: "always-allow", ...options });
  const answer = await server.handle({ method: "GET", url, headers: { accept: "application/json" } });
  await server.stop();
  return JSON.parse(String(answer.body)) as JsonObject;
}

function conditionsOf(list: JsonObject): [string, string][] {
  const items = list.items as { metadata: { name: string }; conditions: { status: string }[] }[];
  return items.map(({ metadata, conditions }) => [metadata.name, conditions[0]?.status ?? ""]);
}

test("components that the server doesn't contain are unhealthy", async () => {
  expect(conditionsOf(await read(path))).toEqual([
    ["controller-manager", "False"],
    ["scheduler", "False"],
    ["etcd-0", "True"],
  ]);
});

test("simulated components are healthy", async () => {
  const list = await read(path, { controllers: { workloads: true } });
  expect(conditionsOf(list).map(([, status]) => status)).toEqual(["True", "True", "True"]);
});

test("lists have no resource version, and selectors filter", async () => {
  expect(await read(`${path}?fieldSelector=metadata.name%3Detcd-0`)).toMatchObject({
    kind: "ComponentStatusList",
    metadata: {},
    items: [{ metadata: { name: "etcd-0" } }],
  });
  expect(await read(`${path}?labelSelector=a%3Db`)).toMatchObject({ items: [] });
});
