// Sends the same calls to the fake client and a real API server. Both must return the same objects and errors.
import { describe, it } from "vitest";
import { jsonPatch, rawPatch } from "../client/patch.ts";
import { isConflict } from "../errors/predicates.ts";
import { fakeAndReal, type Step, sample } from "./same-as-server.fixture.ts";
import { Sample } from "./sample-crd.fixture.ts";

const servers = fakeAndReal();
let count = 0;
const nameOf = (): string => `s${count++}`;
const expectSame = (name: string, steps: readonly Step[]): Promise<void> => servers.expectSame(steps, sample(name));

const creates: readonly [string, object][] = [
  ["nothing", {}],
  ["defaults, nested too", { nested: {}, preset: null }],
  ["defaults of nothing", { nested: { more: null } }],
  ["nulls", { text: null, maybe: null, nested: null, list: null }],
  ["unknown fields", { nope: 1, nested: { nope: { a: 1 } }, open: { x: 1, known: { a: "1", b: 2 } } }],
  ["short text", { text: "a" }],
  ["long text", { text: "abcdefgh" }],
  ["long text of one", { one: "ab" }],
  ["text that doesn't match", { text: "ABC" }],
  ["characters of several bytes", { one: "😀" }],
  ["a number for a text", { text: 5 }],
  ["a text for a flag", { flag: "yes" }],
  ["a text for a number", { count: "5" }],
  ["a list for an object", { nested: [] }],
  ["an object for a list", { list: {} }],
  ["a number for an object", { nested: 5 }],
  ["too few and too much", { count: 0, even: 100 }],
  ["too much", { count: 11, even: 0 }],
  ["not even", { even: 3 }],
  ["beyond 32 bits", { count: 3_000_000_000 }],
  ["a fraction for a whole", { count: 1.5 }],
  ["fractions", { ratio: 0.25 }],
  ["exclusive fractions", { ratio: 1.5 }],
  ["small fractions", { ratio: 0.00001 }],
  ["a whole for a fraction", { ratio: 1 }],
  ["enums", { mode: "Medium", level: 4 }],
  ["enum of another type", { level: "1" }],
  ["int or string", { port: 80 }],
  ["int or string: text", { port: "http" }],
  ["int or string: neither", { port: true }],
  ["int or string: a fraction", { port: 1.5 }],
  ["lists: too short", { list: [] }],
  ["lists: too long", { list: ["a", "b", "c", "d"], single: [1, 2] }],
  ["lists: items", { list: ["", "ok"] }],
  ["sets", { tags: ["a", "b", "a", "a"] }],
  ["maps by two keys", { entries: [{ name: "a" }, { name: "a", port: 80 }, { name: "a", port: 81 }] }],
  ["maps by one key", { named: [{ name: "a" }, { name: "b" }, { name: "a" }] }],
  ["maps without key", { named: [{ value: "a" }] }],
  ["maps of something else", { named: ["a"] }],
  ["free fields", { labels: { a: "1", b: "12345" } }],
  ["free fields: none", { labels: {} }],
  ["free fields: too many", { labels: { a: "1", b: "2", c: "3" } }],
  ["required", { needy: { other: "x" } }],
  ["oneOf: none", { either: {} }],
  ["oneOf: both", { either: { a: "1", b: "2" } }],
  ["oneOf", { either: { a: "1" } }],
  ["anyOf: none", { some: {} }],
  ["anyOf", { some: { b: "2" } }],
  ["allOf: one", { all: "a" }],
  ["allOf: other", { all: "abcd" }],
  ["not", { not: "never" }],
  ["embedded: nothing", { template: {} }],
  ["embedded", { template: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { a: 1 } } }],
  ["embedded: bad", { template: { apiVersion: "", kind: "" } }],
  ["special characters", { mode: '<a>&"\\\n' }],
  ["objects in messages", { text: { b: 1, a: "<" } }],
];

const formats: Readonly<Record<string, readonly string[]>> = {
  when: [
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.123+02:00",
    "2026-01-01t00:00:00z",
    "2026-01-01",
    "2026-13-01T00:00:00Z",
    "now",
    "2026-01-01 00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-01-01T24:00:00Z",
  ],
  day: ["2026-01-01", "2026-02-30", "26-01-01", ""],
  address: ["1.2.3.4", "01.2.3.4", "1.2.3", "::1", "256.1.1.1"],
  network: ["10.0.0.0/8", "10.0.0.0", "10.0.0.0/33", "::/0", "10.0.0.0/08"],
  id: [
    "123e4567-e89b-12d3-a456-426614174000",
    "123e4567e89b12d3a456426614174000",
    "123",
    "123E4567-E89B-12D3-A456-426614174000",
  ],
  link: ["http://a.b/c", "/path", "a", "mailto:a@b.c", "http://a b", "", "a:b"],
  mail: ["a@b.c", "a", "A <a@b.c>", "a@b", "a b@c", "@b"],
  host: ["a.example.com", "a", "-a", "a_b", "1.2.3.4", ""],
  data: ["YWJj", "YWJ", "", "YQ=="],
  wait: ["5s", "1h30m", "2 days", "five", "", "-1s", "3"],
  strange: ["anything"],
};

describe("K14: the fake client creates like a server", () => {
  it.each(creates)("with %s", async (_what, spec) => {
    const name = nameOf();
    await expectSame(name, [
      (client) => client.create(sample(name, spec)),
      (client) => client.get(Sample, { namespace: "default", name }),
    ]);
  });

  it.each(Object.entries(formats))("with the format of %s", async (field, texts) => {
    for (const text of texts) {
      const name = nameOf();
      await expectSame(name, [(client) => client.create(sample(name, { [field]: text }))]);
    }
  });

  it("with unknown fields and strict validation", async () => {
    const name = nameOf();
    const object = sample(name, { nope: 1, nested: { nope: 2 } }, { stray: true });
    await expectSame(name, [(client) => client.create(object, { fieldValidation: "Strict" })]);
  });
});

describe("K14: the fake client changes objects like a server", () => {
  it("with updates, which keep unchanged invalid fields and set defaults again", async () => {
    const name = nameOf();
    const to =
      (spec: object): Step =>
      (client, last) =>
        client.update({ ...last, spec: spec as never });
    await expectSame(name, [
      (client) => client.create(sample(name, { text: "abc", named: [{ name: "a", value: "1" }] })),
      to({ text: "x" }),
      to({ preset: "other", nested: {} }),
      to({ nested: { inner: null } }),
      to({ named: [{ name: "a", value: "12345" }, { name: "b" }] }),
      (client, last) => client.update(last),
      (client, last) => client.update({ ...last, metadata: { ...last.metadata, labels: { a: "b" } } }),
      (client, last) => client.update({ ...last, status: { phase: "nonsense" } }),
    ]);
  });

  it("with updates of the status", async () => {
    const name = nameOf();
    const to =
      (status: object): Step =>
      (client, last) =>
        client.status.update({ ...last, status: status as never });
    await expectSame(name, [
      (client) => client.create(sample(name, {}, { status: { phase: "A" } })),
      to({ phase: "C" }),
      to({ phase: "A", nope: 1 }),
      to({
        conditions: [
          { type: "Ready", status: "True" },
          { type: "Ready", status: "False" },
        ],
      }),
      to({ conditions: [{ type: "Ready" }] }),
      to({ conditions: [{ type: "Ready", status: "True" }] }),
      (client, last) => client.status.update({ ...last, spec: { text: "x" }, status: { phase: "B" } }),
      (client, last) => client.status.patch(last, rawPatch("application/merge-patch+json", { status: { phase: "D" } })),
      (client, last) =>
        client.status.patch(last, rawPatch("application/merge-patch+json", { status: { phase: null } })),
    ]);
  });

  it("with patches", async () => {
    const name = nameOf();
    const merge =
      (data: object): Step =>
      (client, last) =>
        client.patch(last, rawPatch("application/merge-patch+json", data));
    await expectSame(name, [
      (client) => client.create(sample(name, { text: "abc", labels: { a: "1" } })),
      merge({ spec: { text: "A" } }),
      merge({ spec: { labels: { a: null, b: "2" } } }),
      merge({ spec: { labels: { b: null } } }),
      merge({ spec: { preset: null } }),
      merge({ spec: { nope: 1 } }),
      merge({ metadata: { name: "other" } }),
      merge({ metadata: { resourceVersion: "1" } }),
      (client, last) => client.patch(last, jsonPatch([{ op: "add", path: "/spec/list", value: [] }])),
      (client, last) => client.patch(last, jsonPatch([{ op: "add", path: "/spec/list", value: ["a"] }])),
      (client, last) => client.patch(last, jsonPatch([{ op: "remove", path: "/spec/nope" }])),
      (client, last) => client.patch(last, jsonPatch([{ op: "test", path: "/spec/list/0", value: "b" }])),
      (client, last) => client.patch(last, jsonPatch([{ op: "replace", path: "/spec/none/0", value: "b" }])),
    ]);
  });

  it("with finalizers and deletions", async () => {
    const name = nameOf();
    const key = { namespace: "default", name };
    const finalizers =
      (...names: string[]): Step =>
      (client, last) =>
        client.update({ ...last, metadata: { ...last.metadata, finalizers: names } });
    await expectSame(name, [
      (client) =>
        client.create(sample(name, {}, { metadata: { name, namespace: "default", finalizers: ["a.io/x", "a.io/y"] } })),
      (client, last) =>
        client.delete(last, { preconditions: { uid: "nobody" } }).then(
          () => "gone",
          (error) => isConflict(error),
        ),
      (client, last) => client.delete(last),
      (client) => client.get(Sample, key),
      (client, last) => client.delete(last),
      finalizers("a.io/x", "a.io/z"),
      finalizers("a.io/x"),
      finalizers(),
      (client) => client.get(Sample, key),
      (client) => client.delete(Sample, key),
    ]);
  });

  it("with applies of list items, sets and defaults, and with conflicts", async () => {
    const name = nameOf();
    const apply =
      (fieldOwner: string, spec: object, force = false): Step =>
      (client) =>
        client.apply(sample(name, spec), { fieldOwner, force });
    await expectSame(name, [
      apply("one", {
        named: [{ name: "a", value: "1" }],
        tags: ["x"],
        labels: { a: "1" },
        fixed: { a: "1" },
        list: ["1"],
      }),
      apply("two", { named: [{ name: "b", value: "2" }], tags: ["y"], labels: { b: "2" } }),
      apply("two", { named: [{ name: "a", value: "2" }] }),
      apply("two", { named: [{ name: "a", value: "2" }] }, true),
      apply("two", { fixed: { b: "1" } }),
      apply("two", { list: ["2"] }),
      apply("one", { tags: ["z", "x"] }),
      apply("one", {}),
      apply("two", { text: "A" }),
      apply("two", { entries: [{ name: "a", value: "1" }] }),
      apply("one", {
        entries: [
          { name: "a", port: 80, value: "1" },
          { name: "a", port: 81 },
        ],
      }),
      apply("two", {}),
      apply("three", { nope: 1 }),
    ]);
  });
});

describe("K14: the fake client tracks field owners like a server", () => {
  it("after updates and patches, which take the ownership of applied fields", async () => {
    const name = nameOf();
    const apply =
      (fieldOwner: string, spec: object, force = false): Step =>
      (client) =>
        client.apply(sample(name, spec), { fieldOwner, force });
    await expectSame(name, [
      (client) =>
        client.create(sample(name, { text: "abc", labels: { a: "1" }, named: [{ name: "a" }] }), {
          fieldOwner: "maker",
        }),
      apply("one", { text: "abc" }),
      apply("one", { text: "abcd" }),
      apply("one", { text: "abcd" }, true),
      (client, last) => client.update({ ...last, spec: { ...last.spec, text: "xyz" } }, { fieldOwner: "one" }),
      apply("one", { text: "abcd" }),
      apply("one", {}),
      (client, last) =>
        client.patch(last, rawPatch("application/merge-patch+json", { spec: { level: 1, port: 5 } }), {
          fieldOwner: "patcher",
        }),
      apply("two", { level: 1 }),
      apply("two", { level: 2 }),
      apply("two", { port: 5 }),
      apply("two", {}),
    ]);
  });

  it("for metadata: labels, annotations, finalizers and owner references", async () => {
    const name = nameOf();
    const owner = (uid: string): object => ({ apiVersion: "v1", kind: "ConfigMap", name: "x", uid });
    const apply =
      (fieldOwner: string, metadata: object): Step =>
      (client) =>
        client.apply(sample(name, {}, { metadata: { name, namespace: "default", ...metadata } }), { fieldOwner });
    await expectSame(name, [
      apply("one", { labels: { a: "1", b: "2" }, finalizers: ["x.io/a"], ownerReferences: [owner("1")] }),
      apply("two", { labels: { b: "2", c: "3" }, finalizers: ["x.io/b"], ownerReferences: [owner("2")] }),
      apply("two", { labels: { a: "9" } }),
      apply("one", { labels: { a: "2" } }),
      apply("one", {}),
      apply("two", { annotations: { d: "4" } }),
    ]);
  });

  it("for the status subresource", async () => {
    const name = nameOf();
    const apply =
      (fieldOwner: string, status: object, force = false): Step =>
      (client) =>
        client.status.apply(sample(name, undefined, { status }), { fieldOwner, force });
    const condition = (type: string, status = "True"): object => ({ type, status });
    await expectSame(name, [
      apply("one", { phase: "A" }),
      (client) => client.apply(sample(name, { text: "abc" }), { fieldOwner: "one" }),
      apply("one", { phase: "A", conditions: [condition("Ready")] }),
      apply("two", { conditions: [condition("Synced")] }),
      apply("two", { conditions: [condition("Ready", "False")] }),
      apply("two", { conditions: [condition("Ready", "False")] }, true),
      apply("one", {}),
      (client, last) => client.status.update({ ...last, status: { phase: "B" } }, { fieldOwner: "writer" }),
      apply("one", { phase: "A" }),
      apply("one", { phase: "C" }, true),
    ]);
  });
});
