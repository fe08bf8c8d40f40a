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

const json = "application/merge-patch+json";

async function conditions(cluster: Cluster): Promise<Record<string, string>> {
  const { status } = await cluster.send("GET", "/api/v1/namespaces/team");
  const list = (status.conditions ?? []) as { type: string; status: string; message: string }[];
  return Object.fromEntries(list.map(({ type, status: value, message }) => [type, `${value} ${message}`]));
}

it("reports in the status what keeps a namespace", async () => {
  const cluster = await Cluster.start({});
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
  const maps = "/api/v1/namespaces/team/configmaps";
  const finalizers = ["example.com/f"];
  await cluster.send("POST", maps, { metadata: { name: "a", finalizers } });
  await cluster.send("POST", maps, { metadata: { name: "b", finalizers } });
  await cluster.send("POST", "/api/v1/namespaces/team/secrets", { metadata: { name: "a" } });
  await cluster.send("DELETE", "/api/v1/namespaces/team");
  await cluster.clock.advance(1000);
  expect(await conditions(cluster)).toEqual({
    NamespaceDeletionDiscoveryFailure: "False All resources successfully discovered",
    NamespaceDeletionGroupVersionParsingFailure: "False All legacy kube types successfully parsed",
    NamespaceDeletionContentFailure: "False All content successfully deleted, may be waiting on finalization",
    NamespaceContentRemaining: "True Some resources are remaining: configmaps. has 2 resource instances",
    NamespaceFinalizersRemaining:
      "True Some content in the namespace has finalizers remaining: example.com/f in 2 resource instances",
  });
  await cluster.send("PATCH", `${maps}/a`, { metadata: { finalizers: null } }, json);
  await cluster.clock.advance(1000);
  const { NamespaceContentRemaining: remaining } = await conditions(cluster);
  expect(remaining).toBe("True Some resources are remaining: configmaps. has 1 resource instances");
});

it("deletes the Pods of a namespace before all other objects", async () => {
  const cluster = await Cluster.start({});
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
  const [pods, maps] = ["/api/v1/namespaces/team/pods", "/api/v1/namespaces/team/configmaps"];
  const spec = { containers: [{ name: "c", image: "c" }] };
  await cluster.send("POST", pods, { metadata: { name: "a", finalizers: ["example.com/f"] }, spec });
  await cluster.send("POST", maps, { metadata: { name: "a" } });
  await cluster.send("DELETE", "/api/v1/namespaces/team");
  await cluster.clock.advance(60_000);
  expect((await cluster.send("GET", `${pods}/a`)).metadata.deletionTimestamp).toBeDefined();
  expect((await cluster.send("GET", `${maps}/a`)).metadata.deletionTimestamp).toBeUndefined();
  expect(await conditions(cluster)).toMatchObject({
    NamespaceContentRemaining: "False All content successfully removed",
  });
  await cluster.send("PATCH", `${pods}/a`, { metadata: { finalizers: null } }, json);
  await cluster.clock.advance(1000);
  await expect(cluster.send("GET", "/api/v1/namespaces/team")).rejects.toThrow("404");
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
