import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { widgetDefinition } from "./widget.fixture.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const url = "/apis/example.com/v1/namespaces/default/widgets";
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const schema = { openAPIV3Schema: { type: "object" } };
  await send("POST", definitions, widgetDefinition([{ name: "v1", served: true, storage: true, schema }]));
  await expect.poll(() => send("GET", url)).toMatchObject({ kind: "WidgetList" });
});
afterEach(() => server.stop());

async function send(method: string, path: string, body?: object): Promise<JsonObject> {
  const headers = { "content-type": method === "PATCH" ? "application/apply-patch+yaml" : "application/json" };
  const answer = await server.handle({ method, url: path, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return JSON.parse(String(answer.body));
}

it("changes a custom resource with each write of empty metadata, and with the next one without it", async () => {
  const widget = (metadata: object) => ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a", ...metadata },
  });
  await send("POST", url, widget({}));
  const revisions: number[] = [];
  for (const metadata of [{}, { annotations: {} }, { annotations: {} }, { finalizers: null }, {}, {}]) {
    const stored = (await send("PATCH", `${url}/a?fieldManager=x`, widget(metadata))).metadata as JsonObject;
    expect(stored).not.toHaveProperty("annotations");
    expect(((await send("GET", `${url}/a`)).metadata as JsonObject).annotations).toBeUndefined();
    revisions.push(Number(stored.resourceVersion));
  }
  const first = revisions[0] as number;
  expect(revisions.map((one) => one - first)).toEqual([0, 1, 2, 3, 4, 4]);
});
