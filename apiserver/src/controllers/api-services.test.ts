import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../index.ts";
import type { JsonObject } from "../json/json.ts";

const path = "/apis/apiregistration.k8s.io/v1/apiservices";
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "games", kind: "Game" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

describe("APIServices", () => {
  let server: ApiServer;

  beforeAll(async () => {
    server = await startApiServer({ http: false, crds: [definition] });
  });
  afterAll(() => server.stop());

  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
  async function send(method: string, url: string): Promise<any> {
    const answer = await server.handle({ method, url, headers: {} });
    return JSON.parse(String(answer.body));
  }

  it("exist for each version of a group, with the priorities of built-in ones", async () => {
    const { items } = await send("GET", path);
    expect(items.map((item: JsonObject) => (item.metadata as JsonObject).name)).toContain("v1.apps");
    const of = (name: string) => items.find((item: { metadata: { name: string } }) => item.metadata.name === name);
    expect(of("v1.")).toMatchObject({ spec: { version: "v1", groupPriorityMinimum: 18_000, versionPriority: 1 } });
    expect(of("v2.autoscaling").spec).toMatchObject({ groupPriorityMinimum: 17_500, versionPriority: 30 });
    expect(of("v1.example.com").spec).toMatchObject({ groupPriorityMinimum: 1000, versionPriority: 100 });
  });

  it("are removed with the last definition of their group", async () => {
    await send("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.example.com");
    await expect.poll(async () => (await send("GET", `${path}/v1.example.com`)).code).toBe(404);
    expect(await send("GET", `${path}/v1.apps`)).toMatchObject({ kind: "APIService" });
  });
});
