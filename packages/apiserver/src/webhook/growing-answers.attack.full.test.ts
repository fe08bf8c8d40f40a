// Answers of webhooks of any size: reading and applying them takes linear time.
import type { Json, JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectLinearBetween } from "../../../../scripts/test-support/growth.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { WebhookServer } from "./webhook-server.fixture.ts";

const sizes = [1000, 8000] as const;
const many = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const fields = (size: number, value: Json = "v"): JsonObject =>
  Object.fromEntries(many(size, (index) => [`f${index}`, value]));

let api: ApiServer;
let hooks: WebhookServer;
let answer: (request: JsonObject) => JsonObject;

beforeAll(async () => {
  hooks = await new WebhookServer((_path, body) => {
    const { kind, apiVersion, request } = JSON.parse(body) as JsonObject & { request: JsonObject };
    return { body: JSON.stringify({ kind, apiVersion, response: { uid: request.uid, ...answer(request) } }) };
  }).listen();
  const clientConfig = { url: `${hooks.url}/hook`, caBundle: hooks.leafBundle };
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const version = (name: string): JsonObject => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: schema },
  });
  api = await startApiServer({
    http: false,
    crds: [
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "things.example.com" },
        spec: {
          group: "example.com",
          names: { kind: "Thing", plural: "things" },
          scope: "Cluster",
          versions: [version("v1"), version("v2")],
          conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } },
        },
      },
    ] as never,
  });
  for (const type of ["Mutating", "Validating"]) {
    const configuration = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${type}WebhookConfiguration`,
      metadata: { name: "hook" },
      webhooks: [
        {
          name: "hook.example.com",
          clientConfig,
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          timeoutSeconds: 30,
        },
      ],
    };
    const url = `/apis/admissionregistration.k8s.io/v1/${type.toLowerCase()}webhookconfigurations`;
    expect((await send("POST", url, configuration)).status).toBe(201);
  }
});
afterAll(async () => {
  api.stop();
  await hooks.close();
});

async function send(method: string, url: string, body?: object): Promise<{ status: number; text: string }> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const { status, body: text = "" } = await api.handle({ method, url, headers: {}, ...sent });
  return { status, text: String(text) };
}

/** Expects that a request is answered in linear time, with one of the statuses. */
async function expectLinear(
  statuses: readonly number[],
  respond: (size: number) => typeof answer,
  post: object,
  url: string,
) {
  await expectLinearBetween(async (size) => {
    answer = respond(size);
    return async () => {
      const { status, text } = await send("POST", `${url}?dryRun=All`, post);
      expect(statuses, text.slice(0, 300)).toContain(status);
    };
  }, sizes);
}

describe("answers of admission webhooks are processed in linear time", () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { first: "1" } };
  const patch =
    (make: (size: number) => JsonObject[]) =>
    (size: number): typeof answer => {
      const text = Buffer.from(JSON.stringify(make(size))).toString("base64");
      // Only mutating webhooks may change objects, and the second one sees the changes of the first one.
      return ({ object }) =>
        Object.keys((object as { data: JsonObject }).data).length > 1 ||
        (object as { data: JsonObject }).data.first !== "1"
          ? { allowed: true }
          : { allowed: true, patchType: "JSONPatch", patch: text };
    };
  const add = (path: string, value: Json): JsonObject => ({ op: "add", path, value });

  it.each<[string, readonly number[], (size: number) => typeof answer]>([
    ["patches that add fields", [201], patch((size) => many(size, (index) => add(`/data/f${index}`, "v")))],
    ["patches that replace a field", [201], patch((size) => many(size, (index) => add("/data/first", `v${index}`)))],
    ["patches that add a large value", [201], patch((size) => [add("/data", { ...fields(size) })])],
    [
      "patches that copy a field",
      [201],
      patch((size) => many(size, (index) => ({ op: "copy", from: "/data/first", path: `/data/f${index}` }))),
    ],
    [
      "patches that move fields",
      [201],
      patch((size) => [
        ...many(size / 2, (index) => add(`/data/f${index}`, "v")),
        ...many(size / 2, (index) => ({ op: "move", from: `/data/f${index}`, path: `/data/g${index}` })),
      ]),
    ],
    [
      "patches that test fields",
      [201],
      patch((size) => [...many(size, () => ({ op: "test", path: "/data/first", value: "1" })), add("/data/f", "v")]),
    ],
    [
      "patches with long paths",
      [201],
      patch((size) =>
        [add(`/data/${"~1".repeat(10)}`, "v"), add(`/data/${"k".repeat(200)}`, "v".repeat(size * 20))].slice(1),
      ),
    ],
    ["warnings", [201], (size) => () => ({ allowed: true, warnings: many(size, (index) => `warning ${index}`) })],
    ["annotations for the audit", [201], (size) => () => ({ allowed: true, auditAnnotations: fields(size) })],
    [
      "refusals with causes",
      [403, 422],
      (size) => () => ({
        allowed: false,
        status: {
          code: 422,
          reason: "Invalid",
          message: "no",
          details: { causes: many(size, (index) => ({ field: `f${index}`, message: "m", reason: "r" })) },
        },
      }),
    ],
    ["long refusals", [400], (size) => () => ({ allowed: false, status: { message: "no, <&> \u2028 ".repeat(size) } })],
    ["unknown fields", [201], (size) => () => ({ allowed: true, ...fields(size) })],
  ])("%s", async (_, statuses, respond) => {
    await expectLinear(statuses, respond, map, "/api/v1/namespaces/default/configmaps");
  });
});

describe("answers of conversion webhooks are processed in linear time", () => {
  const converted =
    (make: (size: number) => JsonObject) =>
    (size: number): typeof answer => {
      const more = make(size);
      return ({ objects, desiredAPIVersion }) => ({
        result: { status: "Success" },
        convertedObjects: (objects as JsonObject[]).map((one) => {
          const { metadata = {}, ...rest } = more as { metadata?: JsonObject };
          return {
            ...one,
            ...rest,
            apiVersion: desiredAPIVersion as string,
            metadata: { ...(one.metadata as JsonObject), ...metadata },
          };
        }),
      });
    };

  it.each<[string, readonly number[], (size: number) => typeof answer]>([
    ["fields", [201], converted((size) => ({ spec: fields(size) }))],
    ["items", [201], converted((size) => ({ spec: many(size, (index) => ({ name: `n${index}` })) }))],
    ["texts", [201], converted((size) => ({ spec: { text: '\\"<&>\u2028'.repeat(size * 5) } }))],
    ["labels", [201], converted((size) => ({ metadata: { labels: fields(size) } }))],
    ["annotations", [201], converted((size) => ({ metadata: { annotations: fields(size) } }))],
    ["invalid labels", [500], converted((size) => ({ metadata: { labels: fields(size, "not valid") } }))],
    [
      "too many objects",
      [500],
      (size) => () => ({ result: { status: "Success" }, convertedObjects: many(size, () => ({ kind: "Thing" })) }),
    ],
    ["failures", [500], (size) => () => ({ result: { status: "Failure", message: "no, <&> ".repeat(size) } })],
  ])("%s", async (_, statuses, respond) => {
    const thing = { apiVersion: "example.com/v2", kind: "Thing", metadata: { name: "a" }, spec: {} };
    await expectLinear(statuses, respond, thing, "/apis/example.com/v2/things");
  });
});
