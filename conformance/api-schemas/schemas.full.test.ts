import { startApiServer } from "@kubewright/apiserver";
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { equalValues } from "../../packages/apiserver/src/apply/typed/values.ts";
import { definitionOf, ourVerdict, ourVerdictOnDefinition, RealServer, verdictOf, versionOf } from "./compare.ts";
import { Random, randomSchema, randomValue, smaller } from "./random-schemas.ts";

const seed = Number(process.env.SCHEMA_SEED ?? Math.floor(Math.random() * 2 ** 31));
const count = Number(process.env.SCHEMA_COUNT ?? 150);
const objectsPerSchema = 12;
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const environment = new TestEnvironment();
let server: RealServer;

beforeAll(async () => {
  server = new RealServer(await environment.start());
});
afterAll(() => environment.stop());

/** Returns what must be the same: the status, and for an accepted object its spec, its generation and the fields of its managers. */
function shownApply(status: number, { spec, metadata }: JsonObject): JsonObject {
  if (status >= 300) return { status };
  const { managedFields = [], generation = null } = metadata as JsonObject;
  const owners = (managedFields as JsonObject[]).map(({ manager, fieldsV1 }) => [manager, fieldsV1] as Json);
  return { status, spec: spec ?? null, generation, owners };
}

/** @returns the schema of a resource with the given schemas as fields of its spec */
function resourceSchema(properties: Record<string, Schema>): Schema {
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

/** @returns as many schemas as wanted, by the names of their fields */
function validSchemas(random: Random, group: string): Record<string, Schema> {
  const properties: Record<string, Schema> = {};
  while (Object.keys(properties).length < count) {
    const schema = randomSchema(random, 3);
    const candidate = definitionOf(group, resourceSchema({ x: schema }));
    if (ourVerdictOnDefinition(candidate).errors.length === 0) {
      delete schema.default;
      properties[`p${Object.keys(properties).length}`] = schema;
    }
  }
  return properties;
}

/** Creates a definition on the real server. Returns the path of its objects once it is served. */
async function serve(group: string, properties: Record<string, Schema>): Promise<string> {
  const definition = definitionOf(group, resourceSchema(properties));
  const created = await server.send("POST", definitions, definition);
  expect(created.status, JSON.stringify(created.body).slice(0, 500)).toBe(201);
  const path = `/apis/${group}/v1/things`;
  await expect.poll(async () => (await server.send("GET", path)).status).toBe(200);
  return path;
}

/** Returns the smallest variant of a spec that still differs, with the difference. */
async function shrink(
  spec: Json,
  differs: (spec: Json) => Promise<[unknown, unknown] | undefined>,
): Promise<{ spec: Json; ours: unknown; theirs: unknown } | undefined> {
  let difference = await differs(spec);
  if (difference === undefined) return undefined;
  let smallest = spec;
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const candidate of smaller(smallest)) {
      const isDifferent = await differs(candidate);
      if (isDifferent === undefined) continue;
      [smallest, difference, shrunk] = [candidate, isDifferent, true];
      break;
    }
  }
  return { spec: smallest, ours: difference[0], theirs: difference[1] };
}

describe(`random schemas (SCHEMA_SEED=${seed})`, () => {
  it("are accepted or rejected with the same messages", async () => {
    const random = new Random(seed);
    for (let index = 0; index < count; index++) {
      const definition = definitionOf("verdicts.example.com", resourceSchema({ x: randomSchema(random, 3) }));
      const theirs = verdictOf(await server.send("POST", `${definitions}?dryRun=All`, definition));
      expect({ ...ourVerdictOnDefinition(definition), definition }).toEqual({ ...theirs, spec: "", definition });
    }
  });

  it("cause the same results, messages and stored objects", async () => {
    const random = new Random(seed + 1);
    const group = "objects.example.com";
    const properties = validSchemas(random, group);
    const path = await serve(group, properties);
    const version = versionOf(group, resourceSchema(properties));
    const differs = async (spec: Json): Promise<[unknown, unknown] | undefined> => {
      const object: JsonObject = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a" }, spec };
      const ours = ourVerdict(version, object);
      const theirs = verdictOf(await server.send("POST", `${path}?dryRun=All`, object));
      return JSON.stringify(ours) === JSON.stringify(theirs) ? undefined : [ours, theirs];
    };
    for (const [name, field] of Object.entries(properties)) {
      for (let index = 0; index < objectsPerSchema; index++) {
        const smallest = await shrink({ [name]: randomValue(random, field, 3) }, differs);
        if (smallest === undefined) continue;
        const { spec, ours, theirs } = smallest;
        expect({ verdict: ours, spec, field }).toEqual({ verdict: theirs, spec, field });
      }
    }
  });

  it("keep and drop the same fields of applied objects", async () => {
    const random = new Random(seed + 2);
    const group = "applied.example.com";
    const properties = validSchemas(random, group);
    const path = await serve(group, properties);
    const embedded = await startApiServer({ http: false, authorization: "always-allow" });
    onTestFinished(() => embedded.stop());
    const headers = { accept: "application/json", "content-type": "application/json" };
    const definition = JSON.stringify(definitionOf(group, resourceSchema(properties)));
    expect((await embedded.handle({ method: "POST", url: definitions, headers, body: definition })).status).toBe(201);
    const existing: JsonObject = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "existing" }, spec: {} };
    expect((await server.send("POST", path, existing)).status).toBe(201);
    const write = { method: "POST", url: path, headers, body: JSON.stringify(existing) };
    expect((await embedded.handle(write)).status).toBe(201);
    let accepted = 0;
    const differs = async (name: string, spec: Json): Promise<[unknown, unknown] | undefined> => {
      const object: JsonObject = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name }, spec };
      const url = `${path}/${name}?fieldManager=test&dryRun=All`;
      const type = "application/apply-patch+yaml";
      const theirs = await server.send("PATCH", url, object, type);
      const answer = await embedded.handle({
        method: "PATCH",
        url,
        headers: { ...headers, "content-type": type },
        body: JSON.stringify(object),
      });
      const body = JSON.parse(String(answer.body)) as JsonObject;
      const [ours, real] = [shownApply(answer.status, body), shownApply(theirs.status, theirs.body)];
      if (theirs.status < 300) accepted++;
      return equalValues(ours, real) ? undefined : [ours, real];
    };
    for (const [name, field] of Object.entries(properties)) {
      for (let index = 0; index < objectsPerSchema; index++) {
        const object = index % 2 === 0 ? "new" : "existing";
        const smallest = await shrink({ [name]: randomValue(random, field, 3) }, (spec) => differs(object, spec));
        if (smallest === undefined) continue;
        const { spec, ours, theirs } = smallest;
        expect({ object, answer: ours, spec, field }).toEqual({ object, answer: theirs, spec, field });
      }
    }
    expect(accepted).toBeGreaterThan(count);
  });
});
