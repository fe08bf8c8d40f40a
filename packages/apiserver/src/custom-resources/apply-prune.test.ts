import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { Cluster } from "../controllers/workloads/workloads.fixture.ts";

const preserve = { "x-kubernetes-preserve-unknown-fields": true };
const known = {
  type: "object",
  properties: { a: { type: "string" }, deep: { type: "object", properties: { b: { type: "string" } } } },
};
const byKey = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] };
const spec = {
  type: "object",
  ...preserve,
  properties: {
    known,
    list: { type: "array", items: known },
    byKey: { type: "array", ...byKey, items: { ...known, required: ["a"] } },
    map: { type: "object", additionalProperties: known },
    odd: { type: "object", properties: {}, required: ["u"], maxProperties: 1 },
    preserved: { type: "array", ...preserve, items: known },
  },
};
const path = "/apis/example.com/v1/namespaces/default/widgets";

async function start(): Promise<Cluster> {
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  const definition: JsonObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: { group: "example.com", names, scope: "Namespaced", versions },
  };
  return Cluster.start({}, { crds: [definition] });
}

const given = (name: string): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name },
  spec: {
    free: { u: 1 },
    known: { a: "1", u: 1, deep: { b: "2", v: { w: 1 } } },
    list: [{ a: "1", u: 2 }],
    byKey: [{ a: "1", u: 2, deep: { z: 1 } }],
    map: { k: { a: "1", u: 3 } },
    preserved: [{ a: "1", u: 4 }],
  },
});

// The results are those of kube-apiserver 1.36.
const pruned = {
  free: { u: 1 },
  known: { a: "1", deep: { b: "2" } },
  list: [{ a: "1" }],
  byKey: [{ a: "1", deep: {} }],
  map: { k: { a: "1" } },
  preserved: [{ a: "1", u: 4 }],
};

const apply = (cluster: Cluster, name: string): Promise<JsonObject> =>
  cluster.send("PATCH", `${path}/${name}?fieldManager=m&force=true`, given(name), "application/apply-patch+yaml");

it("server-side apply prunes fields below an ancestor that preserves unknown fields, as a create does", async () => {
  const cluster = await start();
  expect((await cluster.send("POST", path, given("created"))).spec).toEqual(pruned);
  expect((await apply(cluster, "created")).spec).toEqual(pruned);
  expect((await apply(cluster, "applied")).spec).toEqual(pruned);
});

it("the manager that applied a pruned field owns it", async () => {
  const cluster = await start();
  const { metadata } = (await apply(cluster, "applied")) as { metadata: { managedFields: JsonObject[] } };
  expect(metadata.managedFields[0]?.fieldsV1).toMatchObject({
    "f:spec": { "f:known": { "f:a": {}, "f:u": {}, "f:deep": { "f:b": {}, "f:v": { ".": {}, "f:w": {} } } } },
  });
});

// As in kube-apiserver: a create prunes before it validates.
it.each(["new", "existing"])(
  "applied fields of an object that is %s are validated before they are pruned",
  async (name) => {
    const cluster = await start();
    const widget = (odd: JsonObject): JsonObject => ({
      ...{ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: name === "new" ? "w" : name } },
      spec: { odd },
    });
    await expect(cluster.send("POST", path, widget({ u: 1 }))).rejects.toThrow("spec.odd.u: Required value");
    if (name === "existing") await cluster.send("POST", path, { ...widget({}), spec: {} });
    const { metadata } = widget({}) as { metadata: { name: string } };
    const send = (odd: JsonObject): Promise<JsonObject> =>
      cluster.send("PATCH", `${path}/${metadata.name}?fieldManager=m`, widget(odd), "application/apply-patch+yaml");
    expect((await send({ u: 1 })).spec).toEqual({ odd: {} });
    await expect(send({ u: 1, v: 2 })).rejects.toThrow("Too many");
  },
);
