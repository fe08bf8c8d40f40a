import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../index.ts";

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
    return request({ method, url });
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
  async function request({ method = "GET", url = "", headers = {}, body = {} }): Promise<any> {
    const sent = method === "POST" ? { body: JSON.stringify(body) } : {};
    const answer = await server.handle({ method, url, headers, ...sent });
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

  it("list groups in discovery by their priorities, and those of other servers as stale", async () => {
    const create = (name: string, groupPriorityMinimum: number, more: JsonObject = {}) => {
      const [version, ...group] = name.split(".") as [string];
      const spec = { group: group.join("."), version, groupPriorityMinimum, versionPriority: 10, ...more };
      const body = { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata: { name }, spec };
      return request({ method: "POST", url: path, body });
    };
    const service = { name: "x", namespace: "default" };
    await create("v1.remote.io", 2000, { service });
    await create("v2.another.io", 2000, { service });
    await create("v1.empty.io", 500);
    await create("v2.empty.io", 3000);
    const custom = ({ name }: { name: string }) => /\.(io|com)$/.test(name) && !name.endsWith("k8s.io");
    const { groups } = await send("GET", "/apis");
    const shown = groups
      .filter(custom)
      .map(({ name, versions }: { name: string; versions: { version: string }[] }) => [
        name,
        ...versions.map(({ version }) => version),
      ]);
    expect(shown).toEqual([
      ["empty.io", "v2", "v1"],
      ["remote.io", "v1"],
      ["another.io", "v2"],
      ["example.com", "v1"],
    ]);
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const { items } = await request({ url: "/apis", headers: { accept } });
    const aggregated = items.filter(({ metadata }: { metadata: { name: string } }) => custom(metadata));
    expect(aggregated).toMatchObject([
      { metadata: { name: "another.io" }, versions: [{ version: "v2", freshness: "Stale" }] },
      { metadata: { name: "remote.io" }, versions: [{ version: "v1", freshness: "Stale" }] },
      { metadata: { name: "example.com" }, versions: [{ version: "v1", freshness: "Current" }] },
    ]);
  });

  it("of custom resources are created again after a deletion", async () => {
    const { metadata } = await send("GET", `${path}/v1.example.com`);
    await send("DELETE", `${path}/v1.example.com`);
    await expect.poll(async () => (await send("GET", `${path}/v1.example.com`)).kind).toBe("APIService");
    expect((await send("GET", `${path}/v1.example.com`)).metadata.uid).not.toBe(metadata.uid);
    await send("DELETE", `${path}/v1.apps`);
    expect(await send("GET", `${path}/v1.apps`)).toMatchObject({ code: 404 });
  });

  it("are removed with the last definition of their group", async () => {
    await send("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.example.com");
    await expect.poll(async () => (await send("GET", `${path}/v1.example.com`)).code).toBe(404);
    expect(await send("GET", `${path}/v1.batch`)).toMatchObject({ kind: "APIService" });
  });
});
