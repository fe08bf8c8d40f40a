import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectLinearBetween } from "../../../../scripts/test-support/growth.ts";
import { type ApiServer, startApiServer } from "./server.ts";

const sizes = [500, 8000] as const;
const maps = "/api/v1/namespaces/default/configmaps";
const protobuf = "application/vnd.kubernetes.protobuf";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

const shapes: Readonly<Record<string, (size: number) => JsonObject>> = {
  keys: (size) => ({ data: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, "v"])) }),
  "a text": (size) => ({ data: { key: "aä\u{1F600}".repeat(size * 5) } }),
  labels: (size) => ({
    metadata: { labels: Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, "v"])) },
  }),
  "owner references": (size) => ({
    metadata: {
      ownerReferences: Array.from({ length: size }, (_, index) => ({
        ...{ apiVersion: "v1", kind: "ConfigMap", name: `o${index}`, uid: `u${index}` },
      })),
    },
  }),
};

async function answerOf(shape: string, size: number, accept: string): Promise<Uint8Array | string> {
  const { metadata, ...rest } = (shapes[shape] as (size: number) => JsonObject)(size);
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...(metadata as JsonObject), name: "a" }, ...rest };
  const headers = { "content-type": "application/json", accept };
  const url = `${maps}?dryRun=All`;
  const { status, body = "" } = await server.handle({ method: "POST", url, headers, body: JSON.stringify(object) });
  expect(status).toBe(201);
  return body;
}

const cases = Object.keys(shapes).flatMap((shape) =>
  [protobuf, table, "application/yaml"].map((type) => [shape, type]),
);

it.each(cases as [string, string][])("an answer with %s is written in linear time as %s", async (shape, type) => {
  await expectLinearBetween(async (size) => () => answerOf(shape, size, type), sizes);
});

it.each(Object.keys(shapes))("a body of protobuf with %s is read in linear time", async (shape) => {
  await expectLinearBetween(async (size) => {
    const body = await answerOf(shape, size, protobuf);
    return async () => {
      const headers = { "content-type": protobuf, accept: "application/json" };
      const { status } = await server.handle({ method: "POST", url: `${maps}?dryRun=All`, headers, body });
      expect(status).toBe(201);
    };
  }, sizes);
});

it("OpenAPI documents of definitions with many fields are written in linear time", async () => {
  let number = 0;
  await expectLinearBetween(async (size) => {
    return async () => {
      const plural = `kinds${number++}`;
      const properties = Object.fromEntries(
        Array.from({ length: size }, (_, index) => [`f${index}`, { type: "string" }]),
      );
      const group = `${plural}.example.com`;
      const definition = {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.${group}` },
        spec: {
          ...{ group, scope: "Namespaced", names: { plural, singular: plural, kind: "Kind", listKind: "KindList" } },
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties } } },
          ],
        },
      };
      const url = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const headers = { "content-type": "application/json" };
      const created = await server.handle({ method: "POST", url, headers, body: JSON.stringify(definition) });
      expect(created.status).toBe(201);
      const document = { method: "GET", url: `/openapi/v3/apis/${group}/v1`, headers: {} };
      await expect.poll(async () => (await server.handle(document)).status).toBe(200);
      await server.handle({ method: "DELETE", url: `${url}/${plural}.${group}`, headers });
    };
  }, sizes);
});
