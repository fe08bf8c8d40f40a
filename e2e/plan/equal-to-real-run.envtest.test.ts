// Operators for which a plan must show what a real run then does, as the rules in rules.envtest.test.ts.
import { describe, expect, it } from "vitest";
import { expectDryRuns, labelsOf, usePlanServer, writesOf } from "./plan-server.ts";
import { Widget, widget, widgetCRD } from "./widget.ts";

const server = usePlanServer();
const { plan } = server;

describe("a further write", () => {
  it("may be a JSON patch of what the plan has changed, and never contains versions of the plan", async () => {
    const { requests, changes, failed } = await plan(`
      const { rawPatch } = runtime;
      const json = (steps) => rawPatch("application/json-patch+json", steps);
      const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      await client.patch(stored, json([{ op: "add", path: "/data/b", value: "2" }]));
      await client.patch(stored, json([{ op: "test", path: "/data/b", value: "2" }, { op: "replace", path: "/data/b", value: "3" }]));
      const { metadata } = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      await client.patch(stored, json([
        { op: "test", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
        { op: "replace", path: "/data/a", value: "9" },
      ]));
    `);
    expect(failed).toEqual([]);
    expectDryRuns(requests);
    for (const { body } of writesOf(requests)) expect(body).not.toMatch(/"4\d{15}"/);
    expect(changes).toMatchObject([
      {
        ...{ action: "update", name: "stored" },
        fields: [
          { path: "data.a", after: "9" },
          { path: "data.b", action: "add", after: "3" },
        ],
      },
    ]);
  });

  it("may create a deleted object again, which is a change even if its fields stay", async () => {
    const { requests, changes, failed, notes } = await plan(`
      const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      await client.delete(stored);
      await client.create(configMap("stored", stored.data, { labels: stored.metadata.labels }));
      const scaled = await apiReader.get(Deployment, { namespace: "default", name: "scaled" });
      await client.delete(scaled);
      const labels = { app: "other" };
      const again = await client.create({
        apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "default", name: "scaled" },
        spec: { ...scaled.spec, selector: { matchLabels: labels }, template: { ...scaled.spec.template, metadata: { labels } } },
      });
      await client.update({ ...again, metadata: { ...again.metadata, labels } });
    `);
    expect([failed, notes]).toEqual([[], []]);
    expectDryRuns(requests);
    expect(changes).toMatchObject([
      {
        action: "update",
        kind: "ConfigMap",
        replaced: true,
        fields: [],
        writes: [{ verb: "delete" }, { verb: "create" }],
      },
      { action: "update", kind: "Deployment", replaced: true, rollout: true },
    ]);
    expect(changes[1]?.fields.map(({ path }) => path)).toContain("spec.selector.matchLabels.app");
  });

  it("may be in a planned namespace, or of a planned definition, with a note", async () => {
    const { changes, failed, notes } = await plan(`
      await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "fresh" } });
      await client.create({ ...configMap("in", { a: "1" }), metadata: { namespace: "fresh", name: "in" } });
      const found = await apiReader.get(ConfigMap, { namespace: "fresh", name: "in" });
      await client.update({ ...found, data: { a: "2" } });
      const spec = { type: "object", properties: { size: { type: "integer", default: 3 } } };
      const names = { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" };
      const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
      await client.create({
        apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "things.example.dev" },
        spec: { group: "example.dev", scope: "Namespaced", names, versions: [{ name: "v1", served: true, storage: true, schema }] },
      });
      const Thing = runtime.groupVersion("example.dev", "v1").kind("Thing");
      const none = (await apiReader.list(Thing, { namespace: "default" })).items.length;
      await client.create({ apiVersion: "example.dev/v1", kind: "Thing", metadata: { namespace: "default", name: "t" }, spec: {} });
      const { items } = await apiReader.list(Thing, { namespace: "default" });
      await client.create(configMap("result", { result: none + " " + items.length + " " + items[0].spec.size }));
    `);
    expect(failed).toEqual([]);
    expect(notes).toEqual([
      "not checked by the server: ConfigMap fresh/in, because its namespace is planned",
      "not checked by the server: Thing default/t, because its CustomResourceDefinition is planned",
    ]);
    expect(labelsOf(changes)).toEqual([
      "create ConfigMap result",
      "create ConfigMap in",
      "create CustomResourceDefinition things.example.dev",
      "create Namespace fresh",
      "create Thing t",
    ]);
    expect(changes[0]?.fields).toContainEqual({ path: "data", action: "add", after: { result: "0 1 3" } });
  });
});

describe("a deletion", () => {
  it("leaves planned children if it orphans them, and ends with the last finalizer of a deleted object", async () => {
    const held = { metadata: { namespace: "default", name: "held" }, apiVersion: "v1", kind: "ConfigMap" };
    await server.client.delete(held as never);
    const { changes, failed } = await plan(`
      const parent = await client.create(configMap("parent", {}));
      const child = configMap("child", {});
      runtime.setControllerReference(parent, child);
      await client.create(child);
      await client.delete(parent, { propagationPolicy: "Orphan" });
      const held = await apiReader.get(ConfigMap, { namespace: "default", name: "held" });
      await client.update({ ...held, metadata: { ...held.metadata, finalizers: [] } });
    `);
    expect(failed).toEqual([]);
    expect(labelsOf(changes)).toEqual(["create ConfigMap child", "delete ConfigMap held"]);
  });

  it("of a collection needs no permission for single objects", async () => {
    const { requests, changes } = await plan(
      `await client.deleteAllOf(ConfigMap, { namespace: "default", labels: { set: "listed" } });`,
    );
    expect(labelsOf(changes)).toEqual(["delete ConfigMap listed-1", "delete ConfigMap listed-2"]);
    expect(writesOf(requests).map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      "DELETE /api/v1/namespaces/default/configmaps",
    ]);
  });
});

describe("a plan shows", () => {
  it("an empty object in a spec, which rolls out Pods", async () => {
    const { changes } = await plan(`
      const scaled = await apiReader.get(Deployment, { namespace: "default", name: "scaled" });
      const next = structuredClone(scaled);
      next.spec.template.spec.affinity = {};
      await client.patch(next, runtime.mergeFrom(scaled));
    `);
    expect(changes).toMatchObject([
      { rollout: true, fields: [{ path: "spec.template.spec.affinity", action: "add", after: {} }] },
    ]);
  });

  it("objects and namespaces with the names of subresources", async () => {
    const { changes, failed } = await plan(`
      await client.create(configMap("proxy", {}));
      const names = (await apiReader.list(ConfigMap, { namespace: "exec" })).items.length;
      await apiReader.get(ConfigMap, { namespace: "default", name: "attach" }).catch(() => undefined);
      await client.create(configMap("result", { names: String(names) }));
    `);
    expect(failed).toEqual([]);
    expect(labelsOf(changes)).toEqual(["create ConfigMap proxy", "create ConfigMap result"]);
  });

  it("generated names by their prefix, and no text with the value of a Secret that is short, planned or applied", async () => {
    const { changes, external, failed, notes } = await plan(
      `
      await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, generateName: "chess-" } });
      const Secret = kind("", "v1", "Secret", "secrets");
      const lastApplied = { "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"password":"b2xkZXI="}}' };
      const metadata = { namespace, name: "planned", annotations: lastApplied };
      await client.create({ apiVersion: "v1", kind: "Secret", metadata, stringData: { pin: "ab", password: "planned text" } });
      database.create("ab", "absent", "postgres://user:planned text@host");
      throw new Error("can't log in with planned text");
      `,
      { more: `const database = external("database", { create() {} }, { plan: { create() {} } });` },
    );
    expect(notes).toEqual(["generated: ConfigMap default/chess-…"]);
    expect(external[0]?.arguments).toEqual(["(hidden)", "absent", "postgres://user:(hidden)@host"]);
    expect(failed).toMatchObject([{ phase: "reconcile", message: "can't log in with (hidden)" }]);
    expect(JSON.stringify(changes)).not.toMatch(/planned text|b2xkZXI=/);
  });
});

describe("the first reconciles", () => {
  it("are for the objects that predicates select, and for the requests of handlers", async () => {
    const ignored = widget("ignored", "red");
    await server.client.create({ ...ignored, metadata: { ...ignored.metadata, labels: { ignored: "yes" } } });
    const { changes, reconciles } = await plan(`await client.create(configMap("for-" + name, {}));`, {
      builder: `
        .withEventFilter(runtime.newPredicateFuncs((object) => object.metadata.labels?.ignored !== "yes"))
        .watches(ConfigMap, runtime.enqueueRequestsFromMapFunc((_, { metadata }) =>
          metadata.name === "stored" ? [{ namespace: "default", name: "absent" }] : []))`,
    });
    expect(labelsOf(changes)).toEqual(["create ConfigMap for-absent", "create ConfigMap for-first"]);
    expect(reconciles).toBe(2);
    await server.client.delete(Widget, { namespace: "default", name: "ignored" });
  });

  it("see applied objects without a namespace in that of the plan, and reject those without a name", async () => {
    const { changes, failed } = await plan(`await client.create(configMap("for-" + name, {}));`, {
      namespace: "default",
      objects: [
        { apiVersion: Widget.apiVersion, kind: Widget.kind, metadata: { name: "applied" }, spec: { color: "red" } },
        { kind: "Widget" },
      ],
    });
    expect(labelsOf(changes)).toEqual(["create ConfigMap for-applied", "create ConfigMap for-first"]);
    expect(failed).toMatchObject([
      { phase: "write", message: expect.stringContaining("apiVersion, kind and metadata.name") },
    ]);
  });

  it("see applied objects without the fields that kubectl has applied before", async () => {
    const annotations = {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({
        ...{ apiVersion: "v1", kind: "ConfigMap", data: { a: "1", removed: "2" } },
        metadata: { name: "applied", namespace: "default", labels: { old: "yes" }, annotations: {} },
      }),
    };
    const metadata = { namespace: "default", name: "applied" };
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } };
    await server.client.create({
      ...applied,
      metadata: { ...metadata, annotations, labels: { old: "yes", kept: "yes" } },
      data: { ...applied.data, removed: "2", kept: "3" },
    } as never);
    const { changes, failed } = await plan(
      `
      const { data, metadata } = await apiReader.get(ConfigMap, { namespace: "default", name: "applied" });
      await client.create(configMap("result", { keys: Object.keys({ ...data, ...metadata.labels }).sort().join() }));
      `,
      { objects: [applied] },
    );
    expect(failed).toEqual([]);
    expect(labelsOf(changes)).toEqual(["create ConfigMap result"]);
    expect(changes[0]?.fields).toContainEqual({ path: "data", action: "add", after: { keys: "a,kept" } });
    await server.client.delete(applied as never);
  });
});

describe("a kind that the cluster doesn't have", () => {
  const names = { kind: "Other", listKind: "OtherList", plural: "others", singular: "other" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const other = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "others.example.dev" },
    spec: {
      group: "example.dev",
      scope: "Namespaced",
      names,
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  const owner = { builder: `.owns(runtime.groupVersion("example.dev", "v1").kind("Other"))` };
  const body = `
    const metadata = { namespace, name: "other" };
    if (count === 1) await client.create({ apiVersion: "example.dev/v1", kind: "Other", metadata, spec: { a: 1 } });
  `;

  it("is a failed list, without waiting for the time limit", async () => {
    const { failed } = await plan("", { ...owner, timeout: 600_000 });
    expect(failed).toMatchObject([{ phase: "list", message: expect.stringContaining('no matches for kind "Other"') }]);
  });

  it("has no objects if the project defines it, with a note", async () => {
    const { changes, failed, notes } = await plan(body, { ...owner, writes: "local", crds: [widgetCRD, other] });
    expect(failed).toEqual([]);
    expect(notes).toEqual(["the cluster doesn't have others.example.dev, so no objects exist"]);
    expect(labelsOf(changes)).toEqual(["create Other other"]);
  });
});

describe("a dry run of the operator", () => {
  it.each(["server", "local"] as const)("sees planned states, and changes nothing, with writes %s", async (writes) => {
    const { requests, changes, failed } = await plan(
      `
      const dryRun = { dryRun: ["All"] };
      const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      const next = await client.update({ ...stored, data: { a: "2" } });
      const tried = await client.update({ ...next, data: { a: "3" } }, dryRun);
      const created = await client.create(configMap("tried", { a: "4" }), dryRun);
      const listed = await apiReader.get(ConfigMap, { namespace: "default", name: "listed-1" });
      await client.delete(listed, dryRun);
      const left = await apiReader.get(ConfigMap, { namespace: "default", name: "listed-1" });
      await client.create(configMap("result", { a: tried.data.a + created.data.a + left.data.a }));
      `,
      { writes },
    );
    expect(failed).toEqual([]);
    if (writes === "local") expect(writesOf(requests)).toEqual([]);
    expectDryRuns(requests);
    expect(labelsOf(changes)).toEqual(["create ConfigMap result", "update ConfigMap stored"]);
    expect(changes[0]?.fields).toContainEqual({ path: "data", action: "add", after: { a: "341" } });
  });
});
