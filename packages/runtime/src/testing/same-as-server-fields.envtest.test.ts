// Compares the fake client with a real API server for empty and undefined fields, and for fields of other versions.
import { it } from "vitest";
import { groupVersion, type Kind } from "../api/kind.ts";
import { rawPatch } from "../client/patch.ts";
import { fakeAndReal, type Step, sample } from "./same-as-server.fixture.ts";
import type { Sample } from "./sample-crd.fixture.ts";

const servers = fakeAndReal();
let count = 0;
const nameOf = (): string => `f${count++}`;
const expectSame = (name: string, steps: readonly Step[], what?: string): Promise<void> =>
  servers.expectSame(steps, sample(name), what);

it("the fake client stores empty labels, annotations, finalizers and owner references like a server", async () => {
  const empty = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
  const full = {
    labels: { a: "1" },
    annotations: { a: "1" },
    finalizers: ["x.io/a"],
    ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1" }],
  };
  const apply =
    (metadata: object): Step =>
    (client, { metadata: { name } = {} }) =>
      client.apply(sample(name ?? "", {}, { metadata: { name, namespace: "default", ...metadata } }), {
        fieldOwner: "one",
      });
  const change =
    (metadata: object): Step =>
    (client, last) =>
      client.update({ ...last, metadata: { ...last.metadata, ...metadata } });
  const merge =
    (metadata: object): Step =>
    (client, last) =>
      client.patch(last, rawPatch("application/merge-patch+json", { metadata }));
  for (const [field, value] of Object.entries(full)) {
    const nothing = { [field]: empty[field as keyof typeof empty] };
    const something = { [field]: value };
    // After an empty list, an apply without the list creates a new version on servers, although nothing is different.
    const empties = Array.isArray(value) ? [apply(nothing)] : [apply(nothing), apply({}), apply(nothing)];
    const writes: Step[] = [change(nothing), merge(nothing), change(something), change(nothing), merge(something)];
    await expectSame(nameOf(), [apply(something), apply({}), apply(something), ...empties], `applies of ${field}`);
    await expectSame(nameOf(), empties, `empty ${field}`);
    await expectSame(
      nameOf(),
      [
        (client, last) => client.create({ ...last, metadata: { ...last.metadata, ...nothing } }),
        ...writes,
        merge({ [field]: null }),
        ...empties,
      ],
      `writes of ${field}`,
    );
  }
});

it("the fake client stores undefined fields like a server", async () => {
  const name = nameOf();
  const apply =
    (spec: object): Step =>
    (client) =>
      client.apply(sample(name, spec), { fieldOwner: "one" });
  const spec = {
    text: "abc",
    nested: { inner: undefined, more: { deep: undefined } },
    named: [{ name: "a", value: undefined }],
    list: ["a"],
    open: { x: undefined, known: { a: undefined } },
  };
  await expectSame(name, [
    apply(spec),
    apply(spec),
    (client, last) => client.update({ ...last, spec: { ...last.spec, ...spec } }),
    (client, last) => client.update({ ...last, spec: { ...last.spec, text: undefined } }),
  ]);
});

it("the fake client reads and writes another version of a kind like a server", async () => {
  const name = nameOf();
  const [v1, v2] = ["v1", "v2"].map((version) => groupVersion("test.kubewright.io", version).kind<Sample>("Versioned"));
  const key = { namespace: "default", name };
  const versioned = ({ apiVersion, kind }: Kind, spec: object): Sample => sample(name, spec, { apiVersion, kind });
  const readBoth: Step[] = [v1, v2].map((kind) => (client) => client.get(kind!, key));
  const merge =
    (kind: Kind, spec: object): Step =>
    (client) =>
      client.patch(versioned(kind, {}), rawPatch("application/merge-patch+json", { spec }));
  await expectSame(name, [
    (client) => client.create(versioned(v1!, { both: "a", old: "b" })),
    ...readBoth,
    merge(v2!, { fresh: "c", both: "d" }),
    ...readBoth,
    (client, last) => client.update({ ...last, spec: { ...last.spec, size: 5 } }),
    (client, last) => client.status.update({ ...last, status: { phase: "A" } }),
    merge(v1!, { old: "e", size: null }),
    (client) => client.apply(versioned(v2!, { fresh: "f", both: "d" }), { fieldOwner: "one", force: true }),
    ...readBoth,
    async (client) => (await client.list(v2!, { namespace: "default" })).items[0],
    (client) => client.delete(v2!, key),
    (client) => client.get(v1!, key),
  ]);
});
