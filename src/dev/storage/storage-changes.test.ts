import { withheldId } from "@kubewright/dashboard/protocol";
import { expect, it } from "vitest";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import type { Schema } from "./schema-losses.ts";
import { storageProblem } from "./storage-changes.ts";

const string: Schema = { type: "string" };
const spec = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties: { spec: { type: "object", properties } },
});

interface VersionOf {
  readonly storage?: boolean;
  readonly served?: boolean;
  readonly schema: Schema;
}

/** Creates a CRD. The first version is stored unless another one is. */
function crd(versions: Record<string, VersionOf>, storedVersions: readonly string[] = []): KubeObject {
  const hasStorage = Object.values(versions).some(({ storage }) => storage);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "games.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Game" },
      versions: Object.entries(versions).map(([name, { storage, served = true, schema }], index) => ({
        ...{ name, served, storage: storage ?? (!hasStorage && index === 0) },
        schema: { openAPIV3Schema: schema },
      })),
    },
    status: { storedVersions },
  };
}

const object = (name: string, fields: object): KubeObject => ({
  metadata: { name, namespace: "default" },
  spec: fields,
});

/** Compares a CRD with that of a cluster. */
function check(before: KubeObject | undefined, objects: readonly KubeObject[], after: KubeObject, isConverted = false) {
  const client = {
    resourceOf: async (_: string, kind: string) => ({ kind }),
    get: async () => {
      if (before) return before;
      throw Object.assign(new Error("not found"), { code: 404 });
    },
    list: async () => objects,
  } as unknown as KubeClient;
  return storageProblem(client, after, isConverted);
}

const a = { schema: spec({ a: string }) };
const ab = { schema: spec({ a: string, b: string }) };
const stored = [object("one", { a: "1", b: "2" })];

it("applies a new CRD, one without stored objects, and one that keeps all stored fields", async () => {
  expect(await check(undefined, [], crd({ v1: a }))).toBeUndefined();
  expect(await check(crd({ v1: ab }), [], crd({ v1: a }))).toBeUndefined();
  expect(await check(crd({ v1: ab }), [object("one", { a: "1" })], crd({ v1: a }))).toBeUndefined();
  expect(await check(crd({ v1: a }), [object("one", { a: "1" })], crd({ v1: ab }))).toBeUndefined();
  expect(await check(crd({ v1: ab }), stored, crd({ v1: ab, v2: ab }))).toBeUndefined();
});

it("withholds a change that removes a stored field, and names it once with its objects", async () => {
  const objects = [1, 2, 3, 4, 5].map((index) => object(`game-${index}`, { b: "x" }));
  expect(await check(crd({ v1: ab }), objects, crd({ v1: a }))).toEqual({
    phase: "apply",
    id: withheldId,
    message:
      "CustomResourceDefinition games.example.com isn't applied: stored fields would be lost: spec.b in v1 of default/game-1, default/game-2, default/game-3 and 2 more",
    hint: "it is applied when the types have the fields again, or when no object has them. To apply it with the loss: npx scaffold dev apply --accept-loss, or press y",
  });
});

it.each<[string, Schema, unknown]>([
  ["another type", { type: "integer" }, "three"],
  ["fewer values", { type: "string", enum: ["y"] }, "x"],
  ["an object in place of a list", { type: "object" }, ["x"]],
  ["fields of items that are removed", { type: "array", items: { type: "object", properties: {} } }, [{ name: "x" }]],
  [
    "fields of a map's values that are removed",
    { type: "object", additionalProperties: { type: "object" } },
    { k: { x: 1 } },
  ],
  ["no unknown fields any longer", { type: "object" }, { any: 1 }],
])("withholds a change to %s", async (_, schema, value) => {
  const any = { schema: spec({ f: { "x-kubernetes-preserve-unknown-fields": true } }) };
  const problem = await check(
    crd({ v1: any }),
    [object("one", { f: value })],
    crd({ v1: { schema: spec({ f: schema }) } }),
  );
  expect(problem).toMatchObject({ id: withheldId, message: expect.stringContaining("spec.f") });
});

it.each<[string, Schema, unknown]>([
  ["the same type", { type: "integer" }, 3],
  ["a large integer", { type: "integer" }, 9007199254740993n],
  ["either type", { "x-kubernetes-int-or-string": true }, "3"],
  ["a map", { type: "object", additionalProperties: { type: "string" } }, { k: "v" }],
  ["an embedded object", { type: "object", "x-kubernetes-embedded-resource": true }, { kind: "Pod", metadata: {} }],
  ["no value", { type: "integer" }, null],
])("applies a change to %s", async (_, schema, value) => {
  const any = { schema: spec({ f: { "x-kubernetes-preserve-unknown-fields": true } }) };
  const after = crd({ v1: { schema: spec({ f: schema }) } });
  expect(await check(crd({ v1: any }), [object("one", { f: value })], after)).toBeUndefined();
});

it("withholds a new version with other fields until the conversion is served", async () => {
  const after = crd({ v1: ab, v2: a });
  expect(await check(crd({ v1: ab }), stored, after)).toMatchObject({
    id: withheldId,
    message: expect.stringContaining("spec.b in v2 of default/one"),
    hint: expect.stringContaining("when the manager serves a conversion"),
  });
  expect(await check(crd({ v1: ab }), stored, after, true)).toBeUndefined();
});

it("withholds another storage version with other fields until the conversion is served", async () => {
  const before = crd({ v1: ab, v2: a });
  const after = crd({ v1: ab, v2: { ...a, storage: true } });
  expect(await check(before, stored, after)).toMatchObject({ message: expect.stringContaining("spec.b in v2") });
  expect(await check(before, stored, after, true)).toBeUndefined();
});

it("withholds the loss of fields of the stored version, also with a conversion", async () => {
  const after = crd({ v1: a, v2: ab });
  expect(await check(crd({ v1: ab, v2: ab }), stored, after, true)).toMatchObject({
    message: expect.stringContaining("spec.b in v1"),
  });
});

it("withholds the removal of a version in which objects are stored", async () => {
  const before = crd({ v1: ab, v2: { ...ab, storage: true } }, ["v1", "v2"]);
  expect(await check(before, stored, crd({ v2: ab }), true)).toMatchObject({
    message: expect.stringContaining("objects may be stored as v1, which it doesn't have"),
  });
  expect(
    await check(crd({ v1: ab, v2: { ...ab, storage: true } }, ["v2"]), stored, crd({ v2: ab }), true),
  ).toBeUndefined();
});

it("doesn't report what the cluster loses already", async () => {
  const before = crd({ v1: ab, v2: a });
  expect(await check(before, stored, crd({ v1: ab, v2: { schema: spec({ a: string, c: string }) } }))).toBeUndefined();
});
