import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../apiserver/src/json/json.ts";
import type { Schema } from "../../apiserver/src/schema/schema.ts";
import { TestEnvironment } from "../../runtime/src/envtest/index.ts";
import { definitionOf, ourVerdict, ourVerdictOnDefinition, RealServer, verdictOf, versionOf } from "./compare.ts";
import { Random, randomSchema, randomValue, smaller } from "./random-schemas.ts";

const seed = Number(process.env.SCHEMA_SEED ?? Math.floor(Math.random() * 2 ** 31));
const count = Number(process.env.SCHEMA_COUNT ?? 150);
const objectsPerSchema = 12;
const environment = new TestEnvironment();
let server: RealServer;

beforeAll(async () => {
  server = new RealServer(await environment.start());
}, 180_000);
afterAll(() => environment.stop());

/** @returns the schema of a resource with the given schemas as fields of its spec */
function resourceSchema(properties: Record<string, Schema>): Schema {
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

describe(`random schemas (SCHEMA_SEED=${seed})`, () => {
  it("are accepted or rejected with the same messages", async () => {
    const random = new Random(seed);
    for (let index = 0; index < count; index++) {
      const definition = definitionOf("verdicts.example.com", resourceSchema({ x: randomSchema(random, 3) }));
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";
      const theirs = verdictOf(await server.send("POST", path, definition));
      expect({ ...ourVerdictOnDefinition(definition), definition }).toEqual({ ...theirs, spec: "", definition });
    }
  }, 600_000);

  it("cause the same results, messages and stored objects", async () => {
    const random = new Random(seed + 1);
    const group = "objects.example.com";
    const properties: Record<string, Schema> = {};
    while (Object.keys(properties).length < count) {
      const schema = randomSchema(random, 3);
      const candidate = definitionOf(group, resourceSchema({ x: schema }));
      if (ourVerdictOnDefinition(candidate).errors.length === 0) {
        delete schema.default;
        properties[`p${Object.keys(properties).length}`] = schema;
      }
    }
    const schema = resourceSchema(properties);
    const definition = definitionOf(group, schema);
    const created = await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    expect(created.status, JSON.stringify(created.body).slice(0, 500)).toBe(201);
    const path = `/apis/${group}/v1/things`;
    await expect.poll(async () => (await server.send("GET", path)).status).toBe(200);
    const version = versionOf(group, schema);
    const differs = async (spec: Json): Promise<[unknown, unknown] | undefined> => {
      const object: JsonObject = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a" }, spec };
      const ours = ourVerdict(version, object);
      const theirs = verdictOf(await server.send("POST", `${path}?dryRun=All`, object));
      return JSON.stringify(ours) === JSON.stringify(theirs) ? undefined : [ours, theirs];
    };
    for (const [name, field] of Object.entries(properties)) {
      for (let index = 0; index < objectsPerSchema; index++) {
        let spec: Json = { [name]: randomValue(random, field, 3) };
        let difference = await differs(spec);
        if (difference === undefined) continue;
        for (let shrunk = true; shrunk; ) {
          shrunk = false;
          for (const candidate of smaller(spec)) {
            const found = await differs(candidate);
            if (found === undefined) continue;
            [spec, difference, shrunk] = [candidate, found, true];
            break;
          }
        }
        expect({ verdict: difference[0], spec, field }).toEqual({ verdict: difference[1], spec, field });
      }
    }
  }, 1_200_000);
});
