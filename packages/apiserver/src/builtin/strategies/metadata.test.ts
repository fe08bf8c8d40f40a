// Kinds check metadata by different rules: a repeated check repeats its errors.

import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, startApiServer } from "../../index.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
});
afterAll(() => server.stop());

const headers = { accept: "application/json", "content-type": "application/json" };

async function send(method: string, url: string, body: JsonObject): Promise<JsonObject> {
  const { body: answer } = await server.handle({ method, url, headers, body: JSON.stringify(body) });
  return JSON.parse(Buffer.from(answer ?? "").toString()) as JsonObject;
}

const causes = (status: JsonObject): string[] => {
  const { details } = status as { details?: { causes?: { field: string }[] } };
  return (details?.causes ?? []).map(({ field }) => field);
};

const objects: [string, JsonObject, { checksFinalizers: boolean }][] = [
  ["/api/v1/namespaces/default/configmaps", { apiVersion: "v1", kind: "ConfigMap" }, { checksFinalizers: true }],
  [
    "/api/v1/namespaces/default/podtemplates",
    {
      apiVersion: "v1",
      kind: "PodTemplate",
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
    { checksFinalizers: true },
  ],
  [
    "/api/v1/namespaces/default/limitranges",
    { apiVersion: "v1", kind: "LimitRange", spec: { limits: [] } },
    { checksFinalizers: true },
  ],
  [
    "/apis/coordination.k8s.io/v1/namespaces/default/leases",
    { apiVersion: "coordination.k8s.io/v1", kind: "Lease" },
    { checksFinalizers: false },
  ],
  [
    "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: {} },
    { checksFinalizers: false },
  ],
];

test.each(objects)("%s have each error once", async (path, object, { checksFinalizers }) => {
  const created = await send("POST", path, { ...object, metadata: { name: "a" } });
  const update = (metadata: JsonObject): Promise<JsonObject> =>
    send("PUT", `${path}/a`, { ...created, metadata: { ...(created.metadata as JsonObject), ...metadata } });
  expect(causes(await update({ labels: { "a b": "c" } }))).toEqual(["metadata.labels"]);
  expect(causes(await update({ finalizers: ["a"] }))).toEqual(checksFinalizers ? ["metadata.finalizers[0]"] : []);
});

test("names of PodDisruptionBudgets and events must only be valid path segments", async () => {
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: {} };
  const url = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  expect(await send("POST", url, { ...budget, metadata: { name: "A_b" } })).toMatchObject({
    metadata: { name: "A_b" },
  });
  expect(await send("POST", url, { ...budget, metadata: { name: "a%" } })).toMatchObject({
    message: `PodDisruptionBudget.policy "a%" is invalid: metadata.name: Invalid value: "a%": may not contain '%'`,
  });
});

test("errors of events.k8s.io contain the stored kind, and errors about UIDs the path in etcd", async () => {
  const event = { apiVersion: "events.k8s.io/v1", kind: "Event", metadata: { name: "a" } };
  const url = "/apis/events.k8s.io/v1/namespaces/default/events";
  expect(await send("POST", url, event)).toMatchObject({
    message: expect.stringMatching(/^Event "a" is invalid: /),
    details: { name: "a", kind: "Event" },
  });
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "b" }, spec: { ports: [{ port: 80 }] } };
  const services = "/api/v1/namespaces/default/services";
  await send("POST", services, service);
  expect(await send("PUT", `${services}/b`, { ...service, metadata: { name: "b", uid: "x" } })).toMatchObject({
    message: expect.stringContaining("Key: /registry/services/specs/default/b,"),
  });
});
