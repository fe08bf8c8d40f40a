import { expect, it } from "vitest";
import { Cluster } from "./workloads/workloads.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

it("checks a namespace that waits for finalizers only when something in it changes", async () => {
  const cluster = await Cluster.start({});
  const idle = cluster.clock.pending;
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
  const maps = "/api/v1/namespaces/team/configmaps";
  await cluster.send("POST", maps, { metadata: { name: "a", finalizers: ["example.com/f"] } });
  await cluster.send("DELETE", "/api/v1/namespaces/team");
  await cluster.clock.advance(60_000);
  expect((await cluster.send("GET", `${maps}/a`)).metadata.deletionTimestamp).toBeDefined();
  expect(cluster.clock.pending).toBe(idle);
  await cluster.send("PATCH", `${maps}/a`, { metadata: { finalizers: null } }, "application/merge-patch+json");
  await cluster.clock.advance(1000);
  await expect(cluster.send("GET", "/api/v1/namespaces/team")).rejects.toThrow("404");
  expect(cluster.clock.pending).toBe(idle);
});

it("checks a definition that waits for its objects only when one of them changes", async () => {
  const cluster = await Cluster.start({});
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const schema = { openAPIV3Schema: { type: "object" } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  const spec = { group: "example.com", scope: "Namespaced", names, versions };
  await cluster.send("POST", definitions, { metadata: { name: "widgets.example.com" }, spec });
  await cluster.clock.advance(10);
  const idle = cluster.clock.pending;
  const widgets = "/apis/example.com/v1/namespaces/default/widgets";
  const metadata = { name: "a", finalizers: ["example.com/f"] };
  await cluster.send("POST", widgets, { apiVersion: "example.com/v1", kind: "Widget", metadata });
  await cluster.send("DELETE", `${definitions}/widgets.example.com`);
  await cluster.clock.advance(60_000);
  expect((await cluster.send("GET", `${widgets}/a`)).metadata.deletionTimestamp).toBeDefined();
  expect(cluster.clock.pending).toBe(idle);
  await cluster.send("PATCH", `${widgets}/a`, { metadata: { finalizers: null } }, "application/merge-patch+json");
  await cluster.clock.advance(1000);
  await expect(cluster.send("GET", `${definitions}/widgets.example.com`)).rejects.toThrow("404");
  expect(cluster.clock.pending).toBe(idle);
});
