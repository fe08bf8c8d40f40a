import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { widgetDefinition } from "./widget.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = `${definitions}/widgets.example.com`;
const widgets = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;
const mergePatch = "application/merge-patch+json";
let directory: string;
let server: ApiServer;

/** The versions of Widget. Only the storage version, v1, has a default. */
function versions(mode: string): JsonObject[] {
  return [true, false].map((storage) => ({
    name: storage ? "v1" : "v1alpha1",
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { mode: { type: "string", ...(storage ? { default: mode } : {}) } },
      },
    },
  }));
}

const start = (): Promise<ApiServer> =>
  startApiServer({ http: false, authorization: "always-allow", dataFile: join(directory, "data.jsonl") });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-defaults-"));
  server = await start();
  await send("POST", definitions, widgetDefinition(versions("on")));
  await expect.poll(() => send("GET", widgets("v1"))).toMatchObject({ kind: "WidgetList" });
  const created = await send("POST", widgets("v1alpha1"), {
    apiVersion: "example.com/v1alpha1",
    kind: "Widget",
    metadata: { name: "a" },
  });
  expect(created).toMatchObject({ apiVersion: "example.com/v1alpha1", mode: "on" });
});
afterEach(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

async function send(method: string, url: string, body?: object): Promise<JsonObject> {
  const headers = { "content-type": method === "PATCH" ? mergePatch : "application/json" };
  const answer = await server.handle({ method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return String(answer.body).startsWith("{") ? JSON.parse(String(answer.body)) : {};
}

async function modes(): Promise<unknown[]> {
  const objects = await Promise.all(["v1", "v1alpha1"].map((version) => send("GET", `${widgets(version)}/a`)));
  const { items } = (await send("GET", widgets("v1"))) as { items: JsonObject[] };
  return [...objects, ...items].map(({ mode }) => mode);
}

it("adds the defaults of the storage version when it reads objects of other versions, without storing them", async () => {
  expect(await modes()).toEqual(["on", "on", "on"]);
  await send("PATCH", definition, { spec: { versions: versions("off") } });
  expect(await modes()).toEqual(["off", "off", "off"]);
});

it("also adds these defaults after a restart", async () => {
  await server.stop();
  server = await start();
  expect(await modes()).toEqual(["on", "on", "on"]);
  await send("PATCH", definition, { spec: { versions: versions("off") } });
  expect(await modes()).toEqual(["off", "off", "off"]);
});

it("stores the defaults that an update contains, even if it changes nothing else", async () => {
  const before = await send("GET", `${widgets("v1")}/a`);
  const after = await send("PATCH", `${widgets("v1")}/a`, {});
  expect((after.metadata as JsonObject).resourceVersion).not.toBe((before.metadata as JsonObject).resourceVersion);
  expect(await send("PATCH", `${widgets("v1")}/a`, {})).toEqual(after);
  await send("PATCH", definition, { spec: { versions: versions("off") } });
  expect(await modes()).toEqual(["on", "on", "on"]);
});

it("reports the last state with these defaults to watches of a deletion", async () => {
  const { metadata } = await send("GET", widgets("v1"));
  const { resourceVersion } = metadata as JsonObject;
  await send("DELETE", `${widgets("v1alpha1")}/a`);
  const url = `${widgets("v1")}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=1`;
  const { stream } = await server.handle({ method: "GET", url, headers: {} });
  const events: JsonObject[] = [];
  for await (const text of stream ?? []) {
    for (const line of String(text).trim().split("\n")) if (line !== "") events.push(JSON.parse(line));
  }
  expect(events).toMatchObject([{ type: "DELETED", object: { apiVersion: "example.com/v1", mode: "on" } }]);
});

it("adds these defaults to the parameters of policies", async () => {
  const group = "/apis/admissionregistration.k8s.io/v1";
  const apiVersion = "admissionregistration.k8s.io/v1";
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  await send("POST", `${group}/validatingadmissionpolicies`, {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      paramKind: { apiVersion: "example.com/v1", kind: "Widget" },
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "false", messageExpression: "'mode ' + params.mode" }],
    },
  });
  await send("POST", `${group}/validatingadmissionpolicybindings`, {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "p" },
    spec: { policyName: "p", validationActions: ["Deny"], paramRef: { name: "a", parameterNotFoundAction: "Deny" } },
  });
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
  const { message } = await send("POST", "/api/v1/namespaces/default/configmaps", configMap);
  expect(message).toMatch(/mode on$/);
});
