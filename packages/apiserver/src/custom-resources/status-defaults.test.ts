import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { widgetDefinition } from "./widget.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;
const url = widgets("v1");
const status = { observed: -1, phase: "New" };
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const properties = { observed: { type: "integer" }, phase: { type: "string", default: "New" } };
  const schema = { type: "object", properties: { status: { type: "object", default: { observed: -1 }, properties } } };
  const versions = ["v1", "v1beta1"].map((name) => ({
    name,
    served: true,
    storage: name === "v1",
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  }));
  await send("POST", definitions, widgetDefinition(versions));
  await expect.poll(() => send("GET", url)).toMatchObject({ kind: "WidgetList" });
});
afterEach(() => server.stop());

async function send(
  method: string,
  path: string,
  body?: object,
  type = "application/merge-patch+json",
): Promise<JsonObject> {
  const headers = { "content-type": method === "PATCH" ? type : "application/json" };
  const answer = await server.handle({ method, url: path, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return JSON.parse(String(answer.body));
}

const widget = (version: string): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: "Widget",
  metadata: { name: "a" },
});
const revisionOf = ({ metadata }: JsonObject): unknown => (metadata as JsonObject).resourceVersion;

it.each(["v1", "v1beta1"])(
  "a new object of %s has the default of its status, and not the status of the request",
  async (version) => {
    const given = { ...widget(version), status: { observed: 5 } };
    expect(await send("POST", `${widgets(version)}?dryRun=All`, given)).toMatchObject({ status });
    const created = await send("POST", widgets(version), given);
    expect(created.status).toEqual(status);
    for (const name of ["v1", "v1beta1"]) {
      expect(await send("GET", `${widgets(name)}/a`)).toMatchObject({ status });
      expect(await send("GET", widgets(name))).toMatchObject({ items: [{ status }] });
    }
    const { stream } = await server.handle({ method: "GET", url: `${url}?watch=true&timeoutSeconds=1`, headers: {} });
    const events: JsonObject[] = [];
    for await (const text of stream ?? []) {
      for (const line of String(text).trim().split("\n")) if (line !== "") events.push(JSON.parse(line));
    }
    expect(events).toMatchObject([{ type: "ADDED", object: { status } }]);
  },
);

it("an update of the status keeps the defaults that it doesn't set", async () => {
  await send("POST", url, widget("v1"));
  expect(await send("PATCH", `${url}/a/status`, { status: { phase: "Ready" } })).toMatchObject({
    status: { observed: -1, phase: "Ready" },
  });
});

it("the first update stores the defaults, even if it changes nothing", async () => {
  const apply = (): Promise<JsonObject> =>
    send("PATCH", `${url}/a?fieldManager=m`, widget("v1"), "application/apply-patch+yaml");
  const [first, second, third] = [await apply(), await apply(), await apply()];
  for (const object of [first, second, third]) expect(object.status).toEqual(status);
  expect(revisionOf(second)).not.toBe(revisionOf(first));
  expect(revisionOf(third)).toBe(revisionOf(second));
});
