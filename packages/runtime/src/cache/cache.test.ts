import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { isNotFound } from "../errors/predicates.ts";
import { key, setUp } from "./cache.fixture.ts";
import { CacheNotStartedError } from "./cache.ts";
import { Thing } from "./fake-server.fixture.ts";

describe("reads from the cache", () => {
  it("I12: fail for a declared kind before the start, and never return an empty list", async () => {
    const { cache } = setUp();
    cache.inform(Thing);
    await expect(cache.get(Thing, key)).rejects.toThrow(CacheNotStartedError);
    await expect(cache.list(Thing)).rejects.toThrow(CacheNotStartedError);
  });

  it("need no discovery for a kind with a set plural and scope", async () => {
    const { cache, start, paths } = setUp({ mapper: { mapping: () => Promise.reject(new Error("was asked")) } });
    cache.inform(groupVersion("", "v1").kind("ConfigMap", { plural: "configmaps", scope: "Namespaced" }));
    await start();
    expect(paths).toEqual(["/api/v1/configmaps"]);
  });

  it("I11: of an undeclared kind are live, start an informer, or fail, as configured", async () => {
    const live = setUp();
    await live.start();
    await live.cache.get(Thing, key);
    await live.cache.list(Thing);
    expect([live.liveReads, live.paths]).toEqual([["get", "list"], []]);

    const starting = setUp({ readsWithoutInformer: "start" });
    starting.server.put("a", "1");
    await starting.start();
    expect((await starting.cache.get(Thing, key)).value).toBe("1");
    expect(starting.paths).toEqual(["/apis/test/v1/things"]);

    const failing = setUp({ readsWithoutInformer: "fail" });
    await failing.start();
    await expect(failing.cache.get(Thing, key)).rejects.toThrow("Thing has no informer");
  });

  it("I11: that start an informer keep the program ready, and fail if the kind isn't installed", async () => {
    const { cache, server, start, clock } = setUp({ readsWithoutInformer: "start" });
    server.refuse = () => {
      throw new Error("forbidden");
    };
    await start();
    const read = Promise.all([cache.get(Thing, key), cache.list(Thing)]);
    read.catch(() => {});
    await clock.advance(10);
    expect([cache.hasSynced, cache.unsynced()]).toEqual([true, []]);
    cache.inform(Thing);
    expect([cache.hasSynced, cache.unsynced()]).toEqual([false, ["Thing: forbidden"]]);

    const mapper = { mapping: () => Promise.reject(new Error("no matches for kind Thing")) };
    const missing = setUp({ readsWithoutInformer: "start", mapper });
    await missing.start();
    await expect(missing.cache.get(Thing, key)).rejects.toThrow("no matches for kind Thing");
    expect(missing.cache.hasSynced).toBe(true);
  });

  it("I11: wait until the kind has synced", async () => {
    const { cache, server, start, clock } = setUp();
    server.put("a", "1");
    cache.inform(Thing);
    let isDown = true;
    server.refuse = () => {
      if (isDown) throw new Error("not yet");
    };
    await start();
    const read = cache.get(Thing, key);
    isDown = false;
    await clock.advance(5000);
    expect((await read).value).toBe("1");
  });

  it("measure how long they wait until the kind has synced, and how the wait ends", async () => {
    const measured: [operation: string, result: string, milliseconds: number][] = [];
    const readMetrics = () => ({ waited: (...read: (typeof measured)[number]) => void measured.push(read) });
    const { cache, server, start, clock } = setUp({ readMetrics });
    server.put("a", "1");
    await cache.list(Thing);
    expect(measured).toEqual([]);
    cache.inform(Thing);
    await expect(cache.get(Thing, key)).rejects.toThrow("the cache is not started");
    let isDown = true;
    server.refuse = () => {
      if (isDown) throw new Error("not yet");
    };
    await start();
    const late = AbortSignal.abort(new DOMException("too late", "TimeoutError"));
    await expect(cache.list(Thing, { signal: late })).rejects.toThrow("aborted before");
    const read = cache.get(Thing, key);
    isDown = false;
    await clock.advance(5000);
    await read;
    await cache.get(Thing, key);
    const [, , [, , waited]] = measured as [unknown, unknown, (typeof measured)[number]];
    expect(waited).toBeGreaterThan(0);
    expect(measured).toEqual([
      ["get", "error", 0],
      ["list", "timeout", 0],
      ["get", "success", waited],
      ["get", "success", 0],
    ]);
  });

  it("of a kind that never syncs leave nothing in memory when they are aborted", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { cache, server, start } = setUp();
    server.refuse = () => {
      throw new Error("not installed");
    };
    cache.inform(Thing);
    await start();
    const heapAfter = async (reads: number): Promise<number> => {
      for (let i = 0; i < reads; i++) {
        const stop = new AbortController();
        const read = cache.get(Thing, key, { signal: stop.signal });
        await Promise.resolve();
        stop.abort();
        // `rejects` of the test runner would keep each promise.
        expect(await read.catch(String)).toContain("aborted before its cache was in sync");
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(500);
    expect((await heapAfter(5000)) - before).toBeLessThan(1_500_000);
  });

  it("C8: of a kind declared after the start wait for its sync, as does the cache", async () => {
    const { cache, server, start, clock } = setUp();
    server.put("a", "1");
    await start();
    expect(cache.hasSynced).toBe(true);
    cache.inform(Thing);
    expect([cache.hasSynced, cache.unsynced()]).toEqual([false, ["Thing"]]);
    const read = cache.get(Thing, key);
    await clock.advance(0);
    expect([(await read).value, cache.hasSynced]).toEqual(["1", true]);
  });

  it("I15: return private copies, or the frozen original with { shared: true }", async () => {
    const { cache, server, start } = setUp();
    server.put("a", "1");
    cache.inform(Thing);
    await start();
    const copy = await cache.get(Thing, key);
    copy.value = "changed";
    const shared = await cache.get(Thing, key, { shared: true });
    expect(shared.value).toBe("1");
    expect((await cache.list(Thing, { shared: true })).items[0]).toBe(shared);
    expect((await cache.list(Thing)).items[0]).not.toBe(shared);
    expect(shared).toMatchObject({ apiVersion: "test/v1", kind: "Thing" });
  });

  it("return metadata from whole objects, or from an informer of metadata only", async () => {
    const whole = setUp();
    whole.cache.inform(Thing);
    whole.server.put("a", "1");
    await whole.start();
    const read = await whole.cache.get(Thing, key, { metadataOnly: true });
    expect(Object.keys(read)).toEqual(["apiVersion", "kind", "metadata"]);
    read.metadata.labels = { mine: "1" };
    const [shared] = (await whole.cache.list(Thing, { metadataOnly: true, shared: true })).items;
    expect([Object.isFrozen(shared), shared?.metadata.labels]).toEqual([true, { value: "1" }]);
    expect(shared).not.toHaveProperty("value");

    const metadata = setUp();
    metadata.cache.inform(Thing, { metadataOnly: true });
    metadata.server.put("a", "1");
    await metadata.start();
    expect((await metadata.cache.get(Thing, key, { metadataOnly: true })).metadata.name).toBe("a");
    expect(metadata.liveReads).toEqual([]);
    await metadata.cache.get(Thing, key);
    expect(metadata.liveReads).toEqual(["get"]);
  });

  it("I14: combine namespace, labels and indexes in lists", async () => {
    const { cache, server, start } = setUp();
    server.put("a", "red", "one");
    server.put("b", "red", "two");
    server.put("c", "blue", "one");
    cache.indexField(Thing, ".value", (thing) => [thing.value ?? ""]);
    cache.indexField(Thing, "initial", (thing) => [thing.metadata?.name?.[0] ?? ""]);
    await start();
    const names = async (options: Parameters<typeof cache.list>[1]) =>
      (await cache.list(Thing, options)).items.map(({ metadata }) => metadata.name).sort();
    expect(await names({})).toEqual(["a", "b", "c"]);
    expect(await names({ namespace: "one" })).toEqual(["a", "c"]);
    expect(await names({ labels: { value: "red" } })).toEqual(["a", "b"]);
    expect(await names({ labels: "value in (blue, green)" })).toEqual(["c"]);
    expect(await names({ fields: { value: "red" } })).toEqual(["a", "b"]);
    expect(await names({ fields: { ".value": "red", ".initial": "b" } })).toEqual(["b"]);
    expect(await names({ namespace: "one", fields: { value: "red" } })).toEqual(["a"]);
    expect(await names({ fields: { "metadata.name": "c" } })).toEqual(["c"]);
    server.put("b", "blue", "two");
    await new Promise((resolve) => setImmediate(resolve));
    expect(await names({ fields: { value: "blue" } })).toEqual(["b", "c"]);
  });

  it("I14: fail with a hint if the index is missing; a duplicate index is rejected", async () => {
    const { cache, start } = setUp();
    cache.indexField(Thing, "value", () => []);
    expect(() => cache.indexField(Thing, ".value", () => [])).toThrow("already exists");
    await start();
    await expect(cache.list(Thing, { fields: { ".spec.x": "1" } })).rejects.toThrow(/spec\.x.*indexField/);
  });

  it("apply limit, report that there is more, and reject continue", async () => {
    const { cache, server, start } = setUp();
    for (const name of ["a", "b", "c"]) server.put(name, "1");
    cache.inform(Thing);
    await start();
    const list = await cache.list(Thing, { limit: 2 });
    expect([list.items.length, list.metadata.continue]).toEqual([2, "continue-not-supported"]);
    await expect(cache.list(Thing, { continue: "x" })).rejects.toThrow("not supported");
  });

  it("fail with the server's not-found error for a missing object", async () => {
    const { cache, start } = setUp();
    cache.inform(Thing);
    await start();
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);
  });

  it("I13: don't find objects outside of the selectors, and fail for a namespace that isn't cached", async () => {
    const { cache, start, paths } = setUp({ defaultNamespaces: { ns: { label: { team: "a" } } } });
    cache.inform(Thing);
    await start();
    expect(paths).toEqual(["/apis/test/v1/namespaces/ns/things team=a"]);
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);
    await expect(cache.get(Thing, { namespace: "other", name: "a" })).rejects.toThrow(
      'namespace "other" isn\'t in the cache',
    );
  });

  it("I18: go to the server after the informer was stopped and removed", async () => {
    const { cache, server, start, liveReads, clock } = setUp();
    cache.inform(Thing);
    await start();
    await cache.removeInformer(Thing);
    expect(server.openWatches).toBe(0);
    await cache.get(Thing, key);
    expect(liveReads).toEqual(["get"]);
    cache.inform(Thing, { metadataOnly: true });
    await clock.advance(0);
    expect(server.openWatches).toBe(1);
    await cache.removeInformer(Thing);
    expect(server.openWatches).toBe(1);
    await cache.removeInformer(Thing, { metadataOnly: true });
    expect(server.openWatches).toBe(0);
  });

  it("I19: use the namespaced URL for one namespace, and exclude that namespace from the cluster-wide watch", async () => {
    const { cache, start, paths } = setUp({ defaultNamespaces: { one: {}, "": { field: "status.phase=Up" } } });
    cache.inform(Thing);
    await start();
    expect(paths).toEqual([
      "/apis/test/v1/namespaces/one/things",
      "/apis/test/v1/things  status.phase=Up,metadata.namespace!=one",
    ]);
  });

  it("use the settings of a kind before the defaults, even empty settings", async () => {
    const { cache, start, paths } = setUp({
      defaultLabelSelector: { team: "a" },
      defaultNamespaces: { one: {} },
      byObject: [{ object: Thing, label: {}, namespaces: { two: {} } }],
    });
    cache.inform(Thing);
    await start();
    expect(paths).toEqual(["/apis/test/v1/namespaces/two/things"]);
  });

  it("ignore the namespace of a cluster-scoped kind, as live reads do", async () => {
    const mapper = { mapping: async () => ({ plural: "things", namespaced: false }) };
    const { cache, server, start } = setUp({ mapper });
    cache.inform(Thing);
    server.put("a", "1", "");
    await start();
    expect((await cache.get(Thing, { namespace: "ns", name: "a" })).value).toBe("1");
    expect((await cache.list(Thing, { namespace: "ns" })).items).toHaveLength(1);
  });

  it("require the namespace of a namespaced kind, as live reads do", async () => {
    const { cache, start } = setUp();
    cache.inform(Thing);
    await start();
    await expect(cache.get(Thing, { name: "a" })).rejects.toThrow('Thing "a": a namespace is required');
  });
});
