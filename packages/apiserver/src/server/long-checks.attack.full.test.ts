import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./server.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false });
});
afterEach(() => server.stop());

interface Answered {
  status: number;
  text: string;
  /** Number of turns of the event loop until the answer. */
  turns: number;
}

/** Sends a request, and reads `/readyz` in each turn of the event loop until it is answered. */
async function send(method: string, url: string, body: object): Promise<Answered> {
  let isAnswered = false;
  const sent = server.handle({ method, url, headers: {}, body: JSON.stringify(body) }).finally(() => {
    isAnswered = true;
  });
  let turns = 0;
  for (; !isAnswered; turns++) {
    expect((await server.handle({ method: "GET", url: "/readyz", headers: {} })).status).toBe(200);
    await nextTurn();
  }
  const { status, body: text } = await sent;
  return { status, text: String(text), turns };
}

function definition(properties: object): object {
  const schema = { type: "object", properties: { spec: { type: "object", properties } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things" },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const things = "/apis/example.com/v1/things";
const thing = (spec: object): object => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec,
});

/** Creates a definition and waits until its kind is served. */
async function define(properties: object): Promise<number> {
  const { status, turns, text } = await send("POST", definitions, definition(properties));
  expect(status, text).toBe(201);
  await expect.poll(async () => (await server.handle({ method: "GET", url: things, headers: {} })).status).toBe(200);
  return turns;
}

const many = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => create(i));
/** Alternatives of which none is valid, so that all are tried. */
const alternatives = { type: "object", anyOf: many(2048, (index) => ({ required: [`f${index}`] })) };

it.each([
  ["lists", { type: "array", items: alternatives }, many(60, () => ({}))],
  ["maps", { type: "object", additionalProperties: alternatives }, Object.fromEntries(many(60, (i) => [`k${i}`, {}]))],
  [
    "lists of strings",
    { type: "array", items: { type: "string", anyOf: many(2048, (index) => ({ maxLength: -index })) } },
    many(60, (index) => `text ${index}`),
  ],
])("requests are answered while thousands of alternatives are tried for %s", async (_, schema, value) => {
  await define({ value: schema });
  const created = await send("POST", things, thing({ value }));
  expect(created.status).toBe(422);
  expect(created.text).toContain("must validate at least one schema (anyOf)");
  expect(created.turns).toBeGreaterThan(3);
});

it("requests are answered while thousands of patterns are checked and compiled", async () => {
  const patterns = Object.fromEntries(
    many(500, (index) => [`f${index}`, { type: "string", pattern: `^(?:a|\\d{1,20}|[[:alpha:]]{0,30})*${index}$` }]),
  );
  const turns = await define(patterns);
  expect(turns).toBeGreaterThan(3);
  const texts = Object.fromEntries(many(500, (index) => [`f${index}`, `a${index}`]));
  const created = await send("POST", things, thing(texts));
  expect(created.status, created.text).toBe(201);
  expect(created.turns).toBeGreaterThan(3);
});

it("an object that was changed during a long check isn't overwritten", async () => {
  await define({ value: { type: "array", items: { ...alternatives, anyOf: [...alternatives.anyOf, {}] } } });
  const put = (count: number, version: string) =>
    send("PUT", `${things}/a`, {
      ...thing({ value: many(count, () => ({})) }),
      metadata: { name: "a", resourceVersion: version },
    });
  const { text } = await send("POST", things, thing({ value: [] }));
  const version = (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  const [long, short] = await Promise.all([put(60, version), put(1, version)]);
  expect([short.status, long.status]).toEqual([200, 409]);
});
