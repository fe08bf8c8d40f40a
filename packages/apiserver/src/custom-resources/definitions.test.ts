import { afterEach, beforeEach, expect, it } from "vitest";
import type { AnswerStream } from "../model/request.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";
import { widgetDefinition } from "./widget.fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
type Body = any;

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = `${definitions}/widgets.example.com`;
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const schema = { openAPIV3Schema: { type: "object" } };
  await send("POST", definitions, widgetDefinition([{ name: "v1", served: true, storage: true, schema }]));
  await expect.poll(() => send("GET", widgets)).toMatchObject({ kind: "WidgetList" });
  const metadata = { name: "a", finalizers: ["example.com/f"] };
  await send("POST", widgets, { apiVersion: "example.com/v1", kind: "Widget", metadata });
});
afterEach(() => server.stop());

async function answer(method: string, url: string, body?: object) {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const text = body ? { body: JSON.stringify(body) } : {};
  return server.handle({ method, url, headers: { "content-type": type }, ...text });
}

async function send(method: string, url: string, body?: object): Promise<Body> {
  const text = String((await answer(method, url, body)).body);
  return text.startsWith("{") ? JSON.parse(text) : text;
}

/** Watches the Widgets until the server ends the watch. Returns the types of the events. */
async function watched(): Promise<string[]> {
  const { stream } = await answer("GET", `${widgets}?watch=true`);
  const types: string[] = [];
  for await (const text of stream as AnswerStream) {
    for (const line of String(text).trim().split("\n")) types.push(JSON.parse(line).type);
  }
  return types;
}

it("ends watches when the spec of a definition changes, but not when its status does", async () => {
  const types = watched();
  await send("PATCH", `${definition}/status`, { status: { conditions: [{ type: "Other", status: "True" }] } });
  await send("PATCH", `${widgets}/a`, { metadata: { labels: { a: "b" } } });
  await send("PATCH", definition, { spec: { names: { shortNames: ["w"] } } });
  expect(await types).toEqual(["ADDED", "MODIFIED"]);
});

it("deletes the objects of a deleted definition, rejects new objects, and ends watches after the last event", async () => {
  const types = watched();
  await send("DELETE", definition);
  await expect.poll(() => send("GET", `${widgets}/a`)).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0 } });
  const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "b" } };
  const refused = {
    code: 403,
    message: 'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
  };
  expect(await send("POST", widgets, widget)).toMatchObject(refused);
  expect(await send("POST", widgets, { ...widget, apiVersion: "example.com/v2" })).toMatchObject({ code: 400 });
  const apply = { method: "PATCH", headers: { "content-type": "application/apply-patch+yaml" } };
  for (const query of ["fieldManager=m", "fieldManager=m&dryRun=All"]) {
    const answer = await server.handle({ ...apply, url: `${widgets}/b?${query}`, body: JSON.stringify(widget) });
    expect(JSON.parse(String(answer.body))).toMatchObject(refused);
  }
  expect(await send("PATCH", `${widgets}/a`, { metadata: { finalizers: null } })).toMatchObject({ kind: "Widget" });
  await expect.poll(() => send("GET", widgets)).toBe("404 page not found\n");
  expect(await types).toEqual(["ADDED", "MODIFIED", "DELETED"]);
});
