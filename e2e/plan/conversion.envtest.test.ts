// Definitions with conversion webhooks in a plan, which can't call them.
import { expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { usePlanServer } from "./plan-server.ts";
import { widgetCRD } from "./widget.ts";

const server = usePlanServer();

const conversion = {
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://conversion.invalid/convert" } },
};

/** Returns the definition of a kind that has the field `color` in v1, and `hue` in v2. */
function thingCRD(own: object): { spec: object; metadata: { name: string } } & Record<string, unknown> {
  const names = { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" };
  const version = (name: string, field: string) => {
    const spec = { type: "object", properties: { [field]: { type: "string" } } };
    return {
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
    };
  };
  const versions = [version("v1", "color"), version("v2", "hue")];
  const { apiVersion, kind } = widgetCRD;
  const spec = { group: "test.kubewright.dev", scope: "Namespaced", names, versions, ...own };
  return { apiVersion, kind, metadata: { name: "things.test.kubewright.dev" }, spec };
}

const kinds = `
const CRD = kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", "Cluster");
const [V1, V2] = ["v1", "v2"].map((version) => kind("test.kubewright.dev", version, "Thing", "things"));
`;
const converter = `
await runtime.newWebhookManagedBy(mgr, V1).withConverter({
  hub: V1,
  spokes: [{
    kind: V2,
    toHub: ({ metadata, spec }) => ({ metadata, spec: { color: spec?.hue } }),
    fromHub: ({ metadata, spec }) => ({ metadata, spec: { hue: spec?.color } }),
  }],
}).complete();
`;
/** Writes and reads an object in both versions. */
const bothVersions = `
  await client.create({ apiVersion: V2.apiVersion, kind: "Thing", metadata: { namespace, name: "one" }, spec: { hue: "red" } });
  const first = await apiReader.get(V1, { namespace, name: "one" });
  await client.update({ ...first, spec: { color: "blue" } });
  const second = await apiReader.get(V2, { namespace, name: "one" });
  await client.create(configMap("result", { read: JSON.stringify([first.spec, second.spec]) }));
`;
const create = (definition: object) => `await client.create(${JSON.stringify(definition)});`;

it.each(variants(["server", "local"] as const, 1))(
  "objects of a planned definition are converted, with writes %s",
  async (writes) => {
    const body = `${create(thingCRD({ conversion }))} ${bothVersions}`;
    const { changes, failed, notes } = await server.plan(body, { more: kinds, setup: converter, writes });
    expect(failed).toEqual([]);
    expect(notes.filter((note) => note.startsWith("not converted"))).toEqual([]);
    const result = changes.find(({ name }) => name === "result");
    expect(result?.fields).toContainEqual({
      ...{ path: "data", action: "add" },
      after: { read: JSON.stringify([{ color: "red" }, { hue: "blue" }]) },
    });
  },
);

fullTest("without a converter of the operator, a note names each object that isn't converted", async () => {
  const { failed, notes } = await server.plan(`${create(thingCRD({ conversion }))} ${bothVersions}`, { more: kinds });
  expect(failed).toEqual([]);
  expect(notes).toContain(
    "not converted: Thing default/one from test.kubewright.dev/v2 to test.kubewright.dev/v1, because the operator has no converter",
  );
});

fullTest("definitions of a project have no conversion yet, so the operator's converters are used", async () => {
  const { changes, failed } = await server.plan(bothVersions, {
    ...{ more: kinds, setup: converter, writes: "local" },
    crds: [widgetCRD, thingCRD({})],
  });
  expect(failed).toEqual([]);
  expect(JSON.stringify(changes)).toContain(JSON.stringify(JSON.stringify([{ color: "red" }, { hue: "blue" }])));
});

fullTest("a patched definition keeps its conversion, also in lists, which have each definition once", async () => {
  const stored = thingCRD({ conversion });
  await server.client.create(stored as never);
  try {
    const body = `
      const crd = await apiReader.get(CRD, { name: "things.test.kubewright.dev" });
      const labels = { ...crd.metadata.labels, patched: "yes" };
      await client.patch({ ...crd, metadata: { ...crd.metadata, labels } }, runtime.mergeFrom(crd));
      const { items } = await apiReader.list(CRD);
      const all = items.map(({ metadata, spec }) => metadata.name + " " + spec.conversion?.strategy);
      await client.create(configMap("result", { all: all.sort().join() }));
    `;
    const { changes, failed } = await server.plan(body, { more: kinds, crds: [widgetCRD, stored] });
    expect(failed).toEqual([]);
    expect(changes.find(({ name }) => name === stored.metadata.name)?.fields.map(({ path }) => path)).toEqual([
      "metadata.labels",
    ]);
    expect(changes.find(({ name }) => name === "result")?.fields).toContainEqual({
      ...{ path: "data", action: "add" },
      after: { all: "things.test.kubewright.dev Webhook,widgets.test.kubewright.dev None" },
    });
  } finally {
    await server.client.delete(stored as never);
  }
});
