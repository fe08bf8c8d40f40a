import { request } from "node:https";
import { isDeepStrictEqual } from "node:util";
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { Config } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const schema = {
  openAPIV3Schema: {
    type: "object",
    description: "A widget.",
    properties: {
      spec: {
        type: "object",
        required: ["size"],
        properties: {
          replicas: { type: "integer", default: 1 },
          size: { type: "string", nullable: true, enum: ["S", "L"] },
          port: { "x-kubernetes-int-or-string": true },
          template: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            properties: { spec: { type: "object" } },
          },
          labels: { type: "object", additionalProperties: { type: "string" } },
        },
      },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
};
const other = { openAPIV3Schema: { ...schema.openAPIV3Schema, description: "Another widget." } };
const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const definition = (plural: string, kind: string, scope: string, versions: object[], group = "demo.example.com") => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions,
  },
});
const definitions = [
  definition("widgets", "Widget", "Namespaced", [
    { name: "v1", served: true, storage: true, schema, subresources: { status: {}, scale } },
    {
      name: "v1beta1",
      served: true,
      storage: false,
      schema: other,
      selectableFields: [{ jsonPath: ".spec.replicas" }],
    },
    { name: "v1alpha1", served: false, storage: false, schema },
  ]),
  definition("gadgets", "Gadget", "Cluster", [{ name: "v1", served: true, storage: true, schema }]),
  definition(
    "ap-ples",
    "Ap-ple",
    "Namespaced",
    [{ name: "v1", served: true, storage: true, schema }],
    "9x-demo.k8s.example",
  ),
];

const environment = new TestEnvironment({ engine: "binaries", crds: definitions as never });
let config: Config;
let server: ApiServer;

beforeAll(async () => {
  config = await environment.start();
  server = await startApiServer({ http: false, crds: definitions as never });
  // The real server publishes definitions after a delay.
  await eventually(
    async () => {
      expect(Object.keys(await pathsOf(real)).filter((path) => path.includes("demo"))).toHaveLength(3);
      expect(await real("/openapi/v2")).toContain("com.example.demo.v1.Gadget");
      expect(await real("/openapi/v2")).toContain("example.k8s.9x-demo.v1.Ap-ple");
    },
    { timeout: 30_000, interval: 300 },
  );
});
afterAll(async () => {
  await server?.stop();
  await environment.stop();
});

type Get = (path: string) => Promise<string>;

const real: Get = (path) =>
  new Promise((resolve, reject) => {
    const { host, ca, cert, key } = config;
    const sent = request(
      new URL(path, host),
      { ca, cert, key, headers: { accept: "application/json" } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      },
    );
    sent.on("error", reject);
    sent.end();
  });

const ours: Get = async (path) =>
  String((await server.handle({ method: "GET", url: path, headers: { accept: "application/json" } })).body);

async function pathsOf(get: Get): Promise<Record<string, unknown>> {
  return (JSON.parse(await get("/openapi/v3")) as { paths: Record<string, unknown> }).paths;
}

/** Returns the paths at which two documents differ, because the documents are too large to be printed. */
function differences(actual: unknown, expected: unknown, path = ""): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  const nested = [actual, expected].every((one) => typeof one === "object" && one !== null);
  if (!nested) return [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
  const [a, b] = [actual, expected] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  return [...keys].flatMap((key) => differences(a?.[key], b?.[key], `${path} > ${key}`));
}

describe("the same OpenAPI documents as in kube-apiserver", () => {
  it("are in the index of version 3", async () => {
    expect(Object.keys(await pathsOf(ours))).toEqual(Object.keys(await pathsOf(real)));
  });

  it("exist in version 3 for built-in kinds and definitions", async () => {
    const paths = Object.keys(await pathsOf(real));
    expect(paths.length).toBeGreaterThan(45);
    for (const path of paths) {
      const [actual, expected] = [await ours(`/openapi/v3/${path}`), await real(`/openapi/v3/${path}`)];
      expect(differences(JSON.parse(actual), JSON.parse(expected)), path).toEqual([]);
    }
  });

  it("are in the document of version 2", async () => {
    const [actual, expected] = [await ours("/openapi/v2"), await real("/openapi/v2")];
    expect(differences(JSON.parse(actual), JSON.parse(expected))).toEqual([]);
  });
});
