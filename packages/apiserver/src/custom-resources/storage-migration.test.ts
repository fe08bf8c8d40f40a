import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { widgetDefinition } from "./widget.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = `${definitions}/widgets.example.com`;
const widgets = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;
let server: ApiServer;

function versions(
  storage: string,
  names: string[],
  properties: JsonObject = { size: { type: "string" } },
): JsonObject[] {
  return names.map((name) => ({
    name,
    served: true,
    storage: name === storage,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: "object", properties: { ...properties, status: { type: "object" } } } },
  }));
}

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  await send("POST", definitions, widgetDefinition(versions("v1alpha1", ["v1alpha1"])));
  await expect.poll(() => send("GET", widgets("v1alpha1"))).toMatchObject({ kind: "WidgetList" });
  const widget = { apiVersion: "example.com/v1alpha1", kind: "Widget", metadata: { name: "a" }, size: "S" };
  expect(await send("POST", widgets("v1alpha1"), widget)).toMatchObject({ kind: "Widget" });
});
afterEach(() => server.stop());

async function send(method: string, url: string, body?: object): Promise<JsonObject> {
  const headers = { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" };
  const answer = await server.handle({ method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return JSON.parse(String(answer.body));
}

const define = (...given: Parameters<typeof versions>): Promise<JsonObject> =>
  send("PATCH", definition, { spec: { versions: versions(...given) } });
const revisionOf = ({ metadata }: JsonObject): unknown => (metadata as JsonObject).resourceVersion;

it.each(["", "/status"])(
  "an update to %j that changes nothing stores an object in the new storage version",
  async (sub) => {
    const before = await send("GET", `${widgets("v1alpha1")}/a`);
    await define("v1", ["v1alpha1", "v1"]);
    const after = await send("PATCH", `${widgets("v1")}/a${sub}`, {
      metadata: { resourceVersion: revisionOf(before) },
    });
    expect(after).toMatchObject({ apiVersion: "example.com/v1", size: "S" });
    expect(revisionOf(after)).not.toBe(revisionOf(before));
    // Now there is nothing to write.
    expect(await send("PATCH", `${widgets("v1alpha1")}/a${sub}`, {})).toMatchObject({
      metadata: { resourceVersion: revisionOf(after) },
    });

    await send("PATCH", `${definition}/status`, { status: { storedVersions: ["v1"] } });
    await define("v1", ["v1"]);
    expect(await send("GET", `${widgets("v1")}/a`)).toMatchObject({ apiVersion: "example.com/v1", size: "S" });
    expect(await send("DELETE", `${widgets("v1")}/a`)).toMatchObject({ status: "Success" });
  },
);

it.each([
  ["removes fields that the definition no longer has", { other: { type: "string" } }],
  ["stores new defaults", { size: { type: "string" }, color: { type: "string", default: "red" } }],
])("an update that changes nothing %s", async (_, properties) => {
  const before = await send("GET", `${widgets("v1alpha1")}/a`);
  await define("v1alpha1", ["v1alpha1"], properties);
  const after = await send("PATCH", `${widgets("v1alpha1")}/a`, {});
  expect(revisionOf(after)).not.toBe(revisionOf(before));
  expect(await send("PATCH", `${widgets("v1alpha1")}/a`, {})).toEqual(after);
});

it("an update that changes nothing writes nothing after a change of the definition without effect on the object", async () => {
  const before = await send("GET", `${widgets("v1alpha1")}/a`);
  await define("v1alpha1", ["v1alpha1"], { size: { type: "string" }, color: { type: "string" } });
  expect(await send("PATCH", `${widgets("v1alpha1")}/a`, {})).toEqual(before);
});
