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

/** Transforms that fail to return the object. */
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

describe("an informer", () => {
  it.each(transforms)(
    "sets an object aside until it changes, and logs it once, if its transform %s",
    async (_, fail) => {
      const t = setUp((object) => (isBad(object) ? fail(object) : object));
      t.server.put("good", "1");
      t.server.put("a", "bad");
      await t.start();
      expect([t.informer.hasSynced, t.events, t.setAside()]).toEqual([true, ["create good=1 (initial)"], 1]);
      expect(t.errors).toHaveLength(1);
      expect(t.errors[0]?.message).toBe("Transform failed, the object is set aside until it changes");
      expect(t.errors[0]?.fields).toMatchObject({ namespace: "ns", name: "a" });

      // A relist returns the same state again.
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
      // The last good state stays in the store. Without it, the object would count as deleted.
      expect(t.informer.store.get("ns/a")?.value).toBe("1");
      t.server.delete("a");
      t.server.put("b", "1");
      await t.clock.advance(0);
      expect(t.events.slice(-2)).toEqual([expect.stringMatching(/^delete a/), "create b=1"]);
      expect([t.setAside(), t.server.openWatches]).toEqual([0, 1]);
    },
  );

  it("forgets an object that was set aside if a relist lacks it", async () => {
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

  it("accepts an own write whose transform fails", async () => {
    const t = setUp((object) => (isBad(object) ? transforms[0]![1](object) : object));
    await t.start();
    expect(() => t.informer.wrote(t.server.put("a", "bad"))).not.toThrow();
  });

  it("stores, freezes and returns an object of 9,000 levels", async () => {
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

  it("keeps an object readable without an index if its index function fails", async () => {
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
