// Calls without a result, other API servers, further clusters and deleted owners in a plan.
import { describe, expect, it } from "vitest";
import { labelsOf, usePlanServer, writesOf } from "./plan-server.ts";

const { plan } = usePlanServer();
const buckets = 'const buckets = external("buckets", { async remove() {}, async create() {} });';

describe("a call of an external system without a result ends the reconcile", () => {
  it("also if the operator catches the error, and goes on", async () => {
    const { failed, external, changes, requests } = await plan(
      `
      try {
        await buckets.remove("old");
      } catch {
        await client.create(configMap("false", {}));
      }
      await client.create(configMap("also-false", {}));
      `,
      { more: buckets },
    );
    expect([failed, changes]).toEqual([[], []]);
    expect(external).toMatchObject([{ function: "remove", assumed: false }]);
    expect(writesOf(requests)).toEqual([]);
  });

  it("also if the operator wraps the error, or calls another function", async () => {
    const { failed, external } = await plan(
      `
      try {
        await buckets.remove("old");
      } catch (cause) {
        await buckets.create("new").catch(() => {});
        throw new Error("the bucket wasn't removed: " + cause.message);
      }
      `,
      { more: buckets },
    );
    expect(failed).toEqual([]);
    expect(external).toMatchObject([{ function: "remove" }]);
  });
});

it("the manager of a plan counts as elected", async () => {
  const { failed, changes } = await plan('await mgr.elected; await client.create(configMap("elected", {}));');
  expect(failed).toEqual([]);
  expect(labelsOf(changes)).toEqual(["create ConfigMap elected"]);
});

it("writes to unknown groups are refused if the aggregated API servers are unknown", async () => {
  const { failed, changes, requests } = await plan(
    `
    await client.create(configMap("known", {}));
    const transport = runtime.createTransport({ host: process.env.PLAN_HOST });
    await transport.request({ method: "POST", path: "/apis/unknown.example.com/v1/unknowns", body: {} });
    `,
    { aggregated: undefined },
  );
  expect(failed).toMatchObject([{ phase: "write", message: expect.stringContaining("may ignore dry runs, refused") }]);
  expect(labelsOf(changes)).toEqual(["create ConfigMap known"]);
  expect(writesOf(requests).filter(({ url }) => url.pathname.includes("unknown"))).toEqual([]);
});

it("a further cluster has its own definitions and aggregated API servers", async () => {
  const { failed, changes, requests } = await plan(
    `
    const transport = runtime.createTransport({ host: process.env.PLAN_HOST.replace("127.0.0.1", "localhost") });
    const path = "/apis/test.kubewright.dev/v1/namespaces/default/widgets";
    const body = { apiVersion: "test.kubewright.dev/v1", kind: "Widget", metadata: { name: "far" }, spec: { color: "red" } };
    await transport.request({ method: "POST", path, body });
    `,
    { host: "http://another.example.com" },
  );
  expect(failed).toEqual([]);
  expect(labelsOf(changes)).toEqual(["create Widget far"]);
  const paths = requests.map(({ url }) => url.pathname);
  expect(paths).toContain("/apis/apiregistration.k8s.io/v1/apiservices");
  expect(paths).toContain("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
});

it("a planned child is deleted when the last one of its owners is", async () => {
  const { failed, changes } = await plan(`
    const owners = [];
    for (const name of ["listed-1", "listed-2"]) {
      const { metadata } = await apiReader.get(ConfigMap, { namespace: "default", name });
      owners.push({ apiVersion: "v1", kind: "ConfigMap", name, uid: metadata.uid });
    }
    await client.create(configMap("child", {}, { ownerReferences: owners }));
    await client.delete(ConfigMap, { namespace: "default", name: "listed-1" });
    await client.delete(ConfigMap, { namespace: "default", name: "listed-2" });
  `);
  expect(failed).toEqual([]);
  expect(labelsOf(changes)).toEqual(["delete ConfigMap listed-1", "delete ConfigMap listed-2"]);
});

it("a value is hidden also in texts from before its Secret was read", async () => {
  const { external, failed } = await plan(
    `
    await buckets.create("correct horse");
    const Secret = kind("", "v1", "Secret", "secrets");
    await apiReader.get(Secret, { namespace: "default", name: "secret" });
    `,
    { more: 'const buckets = external("buckets", { async create() {} }, { plan: { async create() {} } });' },
  );
  expect(failed).toEqual([]);
  expect(external).toMatchObject([{ arguments: ["(hidden)"] }]);
});

it("objects that exist and stay the same are counted, also if a change is undone", async () => {
  const { changes, failed, unchanged } = await plan(
    `
    if (name === "absent") return;
    await client.create(configMap("made", {}));
    await client.delete(ConfigMap, { namespace: "default", name: "made" });
    const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
    const next = await client.update({ ...stored, data: { a: "2" } });
    await client.update({ ...next, data: { a: "1" } });
  `,
    {
      builder: `.watches(ConfigMap, runtime.enqueueRequestsFromMapFunc((_, { metadata }) =>
        metadata.name === "stored" ? [{ namespace: "default", name: "absent" }] : []))`,
    },
  );
  expect([changes, failed]).toEqual([[], []]);
  // The Widget, and the ConfigMap "stored".
  expect(unchanged).toBe(2);
});

it("a planned Service can be written again, although its address is that of a dry run", async () => {
  const { failed, changes } = await plan(`
    const service = (type) => ({
      apiVersion: "v1", kind: "Service", metadata: { namespace, name: type.toLowerCase() },
      spec: { type, selector: { app: "a" }, ports: [{ port: 80 }] },
    });
    for (const one of [service("ClusterIP"), service("NodePort")]) {
      await client.apply(one, { fieldOwner: "test" });
      await client.apply({ ...one, metadata: { ...one.metadata, labels: { again: "yes" } } }, { fieldOwner: "test" });
      const stored = await apiReader.get(kind("", "v1", "Service", "services"), one.metadata);
      await client.update({ ...stored, metadata: { ...stored.metadata, labels: { again: "twice" } } });
    }
  `);
  expect(failed).toEqual([]);
  expect(labelsOf(changes)).toEqual(["create Service clusterip", "create Service nodeport"]);
});
