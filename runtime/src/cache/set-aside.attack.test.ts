import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { type LogFields, silentLogger } from "../log/logger.ts";
import type { EventMetrics } from "./event-metrics.ts";
import type { Thing } from "./fake-server.fixture.ts";
import { setUpInformer } from "./informer.fixture.ts";

const isBad = (object: KubernetesObject): boolean => (object as Thing).value === "bad";

function setUp(transform: (object: KubernetesObject) => KubernetesObject) {
  const errors: { message: string; fields: LogFields | undefined }[] = [];
  let setAside = 0;
  const metrics = {
    setAside: (_kind: string, delta: number) => {
      setAside += delta;
    },
    indexFailed() {},
  } as unknown as EventMetrics;
  const log = {
    ...silentLogger,
    error: (_error: unknown, message: string, fields?: LogFields) => void errors.push({ message, fields }),
  };
  const t = setUpInformer({ log, metrics: () => metrics, scopes: async () => [{ transform }] });
  t.informer.addHandler(t.handler);
  return { ...t, errors, setAside: () => setAside };
}

/** Transforms that can't give the object back. */
const transforms: [name: string, fail: (object: KubernetesObject) => KubernetesObject][] = [
  [
    "throws",
    () => {
      throw new Error("no spec");
    },
  ],
  ["returns nothing", () => undefined as never],
  ["returns null", () => null as never],
  ["renames the object", (object) => ({ ...object, metadata: { ...object.metadata, name: "good" } })],
  ["returns what can't be frozen", (object) => ({ ...object, bytes: new Uint8Array(8) }) as KubernetesObject],
];

describe("an object that its transform fails for", () => {
  it.each(transforms)("is set aside, named once, and comes back when it changes: the transform %s", async (_, fail) => {
    const t = setUp((object) => (isBad(object) ? fail(object) : object));
    t.server.put("good", "1");
    t.server.put("a", "bad");
    await t.start();
    expect([t.informer.hasSynced, t.events, t.setAside()]).toEqual([true, ["create good=1 (initial)"], 1]);
    expect(t.errors).toHaveLength(1);
    expect(t.errors[0]?.message).toBe("Transform failed, the object is set aside until it changes");
    expect(t.errors[0]?.fields).toMatchObject({ namespace: "ns", name: "a" });

    // A relist brings the same state again.
    t.server.compact();
    t.server.breakWatches();
    await t.clock.advance(5000);
    t.server.put("good", "2");
    await t.clock.advance(0);
    expect([t.events.at(-1), t.errors.length, t.setAside()]).toEqual(["update good=1>2", 1, 1]);

    t.server.put("a", "1");
    await t.clock.advance(0);
    expect([t.events.at(-1), t.setAside()]).toEqual(["create a=1", 0]);
    t.server.put("a", "bad");
    await t.clock.advance(0);
    expect([t.events.at(-1), t.setAside(), t.errors.length]).toEqual(["create a=1", 1, 2]);
    // Its last good state stays: without it the object would be taken for deleted.
    expect(t.informer.store.get("ns/a")?.value).toBe("1");
    t.server.delete("a");
    t.server.put("b", "1");
    await t.clock.advance(0);
    expect(t.events.slice(-2)).toEqual([expect.stringMatching(/^delete a/), "create b=1"]);
    expect([t.setAside(), t.server.openWatches]).toEqual([0, 1]);
  });

  it("is forgotten when a relist lacks it", async () => {
    const t = setUp((object) => (isBad(object) ? transforms[0]![1](object) : object));
    t.server.put("a", "bad");
    await t.start();
    expect(t.setAside()).toBe(1);
    t.server.breakWatches();
    t.server.delete("a");
    t.server.compact();
    await t.clock.advance(5000);
    expect(t.setAside()).toBe(0);
  });

  it("doesn't make one's own write reject", async () => {
    const t = setUp((object) => (isBad(object) ? transforms[0]![1](object) : object));
    await t.start();
    expect(() => t.informer.wrote(t.server.put("a", "bad"))).not.toThrow();
  });

  it("of 9,000 levels is stored, frozen and handed out as any other", async () => {
    const t = setUp((object) => object);
    let deep: unknown = "end";
    for (let level = 0; level < 9000; level++) deep = level % 2 ? [deep] : { deep };
    await t.start();
    const object = {
      apiVersion: "test/v1",
      kind: "Thing",
      metadata: { name: "a", namespace: "ns", uid: "u", resourceVersion: "999" },
    };
    t.server.sendRaw({ type: "ADDED", object: { ...object, value: "deep", deep } });
    t.server.sendRaw({ type: "ADDED", object: { ...object, value: "1", metadata: { ...object.metadata, name: "b" } } });
    await t.clock.advance(0);
    expect([t.events, t.errors]).toEqual([["create a=deep", "create b=1"], []]);
  });

  it("an index function that fails leaves the object to all other reads", async () => {
    const t = setUp((object) => object);
    const fail = (): never => {
      throw new Error("no");
    };
    t.server.put("a", "bad");
    await t.start();
    t.informer.addIndex("throws", (thing) => (isBad(thing) ? fail() : ["x"]));
    t.informer.addIndex("nothing", () => undefined as never);
    t.informer.addIndex("all", () => ["x"]);
    t.server.put("b", "1");
    await t.clock.advance(0);
    const names = (index: string): unknown[] =>
      [...t.informer.store.byIndex(index, "x")].map(({ metadata }) => metadata?.name);
    expect([names("throws"), names("nothing"), names("all")]).toEqual([["b"], [], ["a", "b"]]);
    t.server.put("a", "2");
    t.server.delete("b");
    await t.clock.advance(0);
    expect([names("throws"), names("all"), t.informer.store.size]).toEqual([["a"], ["a"], 1]);
  });
});
