import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import type { Reader } from "../client/client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import { ApiError, isForbidden, isNotFound } from "../errors/index.ts";
import { groupVersion } from "../kind.ts";
import { silentLogger } from "../log/logger.ts";
import type { Transport } from "../transport/transport.ts";
import { CacheNotStartedError, InformerCache } from "./cache.ts";
import { FakeServer, Thing } from "./fake-server.fixture.ts";
import { type CacheOptions, kindSettings } from "./options.ts";
import { observeWrites } from "./write-observer.ts";

/** A cache whose transport is a fake server of things. */
function setUp(options: CacheOptions & { mapper?: RestMapper } = {}) {
  const server = new FakeServer();
  const clock = new VirtualClock();
  const paths: string[] = [];
  const liveReads: string[] = [];
  const transport: Transport = {
    async request({ query }) {
      const page = await server.list({ signal: new AbortController().signal, limit: query?.limit as number });
      return { status: 200, headers: {}, body: { kind: "ThingList", metadata: page, items: page.items } };
    },
    async stream({ path, query, signal }) {
      paths.push(`${path} ${query?.labelSelector ?? ""} ${query?.fieldSelector ?? ""}`.trim());
      return server.watch({
        resourceVersion: query?.resourceVersion as string,
        timeoutSeconds: 300,
        sendInitialEvents: query?.sendInitialEvents as boolean,
        signal: signal!,
      });
    },
    close: async () => {},
  };
  const live = {
    get: async () => void liveReads.push("get"),
    list: async () => void liveReads.push("list"),
  } as unknown as Reader;
  const mapper = { mapping: async () => ({ plural: "things", namespaced: true }) };
  const cache = new InformerCache({ mapper, ...options, transport, live, log: silentLogger, clock });
  const stop = new AbortController();
  const start = async () => {
    void cache.start(stop.signal);
    await clock.advance(0);
  };
  return { server, cache, clock, start, stop, paths, liveReads };
}

const key = { namespace: "ns", name: "a" };

describe("cache: reads", () => {
  it("I12: a read of a declared kind before the start is an error, never an empty list", async () => {
    const { cache } = setUp();
    cache.inform(Thing);
    await expect(cache.get(Thing, key)).rejects.toThrow(CacheNotStartedError);
    await expect(cache.list(Thing)).rejects.toThrow(CacheNotStartedError);
  });

  it("watches a kind that says its plural and scope without discovery", async () => {
    const { cache, start, paths } = setUp({ mapper: { mapping: () => Promise.reject(new Error("was asked")) } });
    cache.inform(groupVersion("", "v1").kind("ConfigMap", { plural: "configmaps", scope: "Namespaced" }));
    await start();
    expect(paths).toEqual(["/api/v1/configmaps"]);
  });

  it("I11: a read of any other kind goes to the server, starts an informer, or fails, as one likes", async () => {
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

  it("I11: a read waits until the kind is in sync", async () => {
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

  it("C8: a kind declared after the start counts for the sync at once, and a read of it waits", async () => {
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

  it("I15: gives private copies, or with { shared: true } the frozen original", async () => {
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

  it("reads metadata alone from whole objects, or from an informer that has nothing else", async () => {
    const whole = setUp();
    whole.cache.inform(Thing);
    whole.server.put("a", "1");
    await whole.start();
    const read = await whole.cache.get(Thing, key, { metadataOnly: true });
    expect(Object.keys(read)).toEqual(["apiVersion", "kind", "metadata"]);
    read.metadata.labels = { mine: "1" };
    const [shared] = (await whole.cache.list(Thing, { metadataOnly: true, shared: true })).items;
    expect([Object.isFrozen(shared), shared?.metadata.labels, shared?.value]).toEqual([
      true,
      { value: "1" },
      undefined,
    ]);

    const metadata = setUp();
    metadata.cache.inform(Thing, { metadataOnly: true });
    metadata.server.put("a", "1");
    await metadata.start();
    expect((await metadata.cache.get(Thing, key, { metadataOnly: true })).metadata.name).toBe("a");
    expect(metadata.liveReads).toEqual([]);
    await metadata.cache.get(Thing, key);
    expect(metadata.liveReads).toEqual(["get"]);
  });

  it("I14: lists by namespace, labels and indexes, which add up", async () => {
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

  it("I14: names indexField where an index is missing, and refuses a second one of a name", async () => {
    const { cache, start } = setUp();
    cache.indexField(Thing, "value", () => []);
    expect(() => cache.indexField(Thing, ".value", () => [])).toThrow("exists already");
    await start();
    await expect(cache.list(Thing, { fields: { ".spec.x": "1" } })).rejects.toThrow(/spec\.x.*indexField/);
  });

  it("honours limit, says that there is more, and refuses continue", async () => {
    const { cache, server, start } = setUp();
    for (const name of ["a", "b", "c"]) server.put(name, "1");
    cache.inform(Thing);
    await start();
    const list = await cache.list(Thing, { limit: 2 });
    expect([list.items.length, list.metadata.continue]).toEqual([2, "continue-not-supported"]);
    await expect(cache.list(Thing, { continue: "x" })).rejects.toThrow("not supported");
  });

  it("an object that isn't there is the server's own not found", async () => {
    const { cache, start } = setUp();
    cache.inform(Thing);
    await start();
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);
  });

  it("I13: objects outside of the selectors aren't found; another namespace is an error of its own", async () => {
    const { cache, start, paths } = setUp({ defaultNamespaces: { ns: { label: { team: "a" } } } });
    cache.inform(Thing);
    await start();
    expect(paths).toEqual(["/apis/test/v1/namespaces/ns/things team=a"]);
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);
    await expect(cache.get(Thing, { namespace: "other", name: "a" })).rejects.toThrow(
      'namespace "other" is unknown to the cache',
    );
  });

  it("I18: a removed informer stops, and reads go to the server", async () => {
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

  it("I19: asks at the namespaced URL for one namespace, and without the others for the rest", async () => {
    const { cache, start, paths } = setUp({ defaultNamespaces: { one: {}, "": { field: "status.phase=Up" } } });
    cache.inform(Thing);
    await start();
    expect(paths).toEqual([
      "/apis/test/v1/namespaces/one/things",
      "/apis/test/v1/things  status.phase=Up,metadata.namespace!=one",
    ]);
  });

  it("what is said of a kind wins over the defaults, an empty value too", async () => {
    const { cache, start, paths } = setUp({
      defaultLabelSelector: { team: "a" },
      defaultNamespaces: { one: {} },
      byObject: [{ object: Thing, label: {}, namespaces: { two: {} } }],
    });
    cache.inform(Thing);
    await start();
    expect(paths).toEqual(["/apis/test/v1/namespaces/two/things"]);
  });
});

describe("cache: options", () => {
  it("I16: the transform of a namespace wins over that of the kind, that over the defaults'", () => {
    const mark = (value: string) => (object: KubernetesObject) => Object.assign(object, { value });
    const apply = (options: CacheOptions, namespace: string) => {
      const scope = kindSettings(options, Thing)
        .scopes(true)
        .find((found) => (found.namespace ?? "") === namespace);
      const object = { apiVersion: "v1", kind: "Thing", metadata: { managedFields: [{}] } };
      return scope?.transform?.(object) ?? object;
    };
    const defaults: CacheOptions = {
      defaultTransform: mark("default"),
      defaultNamespaces: { one: { transform: mark("default of one") }, two: {}, "": {} },
    };
    expect(apply(defaults, "one")).toMatchObject({ value: "default of one" });
    expect(apply(defaults, "two")).toMatchObject({ value: "default" });
    expect(apply(defaults, "")).toMatchObject({ value: "default" });
    const byObject = [{ object: Thing, transform: mark("kind") }];
    expect(apply({ ...defaults, byObject }, "one")).toMatchObject({ value: "kind" });
    const namespaces = { one: { transform: mark("one") }, two: {} };
    expect(apply({ ...defaults, byObject: [{ ...byObject[0]!, namespaces }] }, "one")).toMatchObject({ value: "one" });
    expect(apply({ ...defaults, byObject: [{ ...byObject[0]!, namespaces }] }, "two")).toMatchObject({ value: "kind" });
    expect(apply({}, "").metadata?.managedFields).toBeUndefined();
    expect(apply({ keepManagedFields: true }, "").metadata?.managedFields).toEqual([{}]);
  });

  it("I10: a kind has its own period of resyncs", () => {
    const options: CacheOptions = { syncPeriod: 1000, byObject: [{ object: Thing, syncPeriod: 5 }] };
    expect(kindSettings(options, Thing).syncPeriod).toBe(5);
    expect(kindSettings({ syncPeriod: 1000 }, Thing).syncPeriod).toBe(1000);
    expect(kindSettings({}, Thing).syncPeriod).toBe(36_000_000);
  });

  it("I14: an index spans all namespaces of the cache", async () => {
    const { cache, server, start } = setUp({ defaultNamespaces: { one: {}, "": {} } });
    cache.indexField(Thing, ".spec.value", (thing) => [thing.value ?? ""]);
    server.put("a", "red", "one");
    server.put("b", "red", "two");
    server.put("c", "blue", "two");
    await start();
    const list = async (namespace?: string) =>
      (await cache.list(Thing, { namespace, fields: { "spec.value": "red" } })).items.map(
        ({ metadata }) => metadata.name,
      );
    expect((await list()).sort()).toEqual(["a", "b"]);
    expect(await list("two")).toEqual(["b"]);
  });

  it("defaultWatchErrorHandler is told of each failure, with its kind; what it throws harms nobody", async () => {
    const told: string[] = [];
    const { cache, server, clock, start } = setUp({
      defaultWatchErrorHandler: (kind, error) => {
        told.push(`${kind.kind} ${isForbidden(error)}`);
        throw new Error("mine");
      },
    });
    let refusals = 3;
    server.refuse = () => {
      if (refusals-- > 0) throw ApiError.forbidden("Thing", "", "no");
    };
    cache.inform(Thing);
    await start();
    await clock.advance(60_000);
    expect(told).toEqual(["Thing true", "Thing true", "Thing true"]);
    expect(cache.hasSynced).toBe(true);
  });
});

describe("cache: own writes", () => {
  const path = "/apis/test/v1/namespaces/ns/things/a";

  function observed(cache: InformerCache, body: unknown): Transport {
    const inner = {
      request: async () => ({ status: 200, headers: {}, body }),
      stream: async () => null,
      close: async () => {},
    };
    return observeWrites(inner as unknown as Transport, cache);
  }

  it("I17: a read sees one's own write before the watch does, and what others write once the watch tells it", async () => {
    const { cache, server, start, clock } = setUp();
    cache.inform(Thing);
    const first = server.put("a", "1");
    await start();
    server.put("a", "by another");
    expect((await cache.get(Thing, key)).value).toBe("1");
    await clock.advance(0);
    expect((await cache.get(Thing, key)).value).toBe("by another");
    const own = { ...first, value: "mine", metadata: { ...first.metadata, resourceVersion: "900" } };
    await observed(cache, own).request({ method: "PUT", path });
    expect((await cache.get(Thing, key)).value).toBe("mine");
    expect((await cache.list(Thing)).items.map(({ value }) => value)).toEqual(["mine"]);
  });

  it("sees creations, deletions and the end of finalizers that came through the transport", async () => {
    const { cache, server, start, clock } = setUp();
    cache.inform(Thing);
    const first = server.put("a", "1");
    await start();
    const update = { ...first, value: "2", metadata: { ...first.metadata, resourceVersion: "900" } };
    await observed(cache, structuredClone(update)).request({ method: "PUT", path });
    expect((await cache.get(Thing, key)).value).toBe("2");

    const marked = structuredClone(update);
    Object.assign(marked.metadata, {
      resourceVersion: "901",
      deletionTimestamp: "2026-01-01T00:00:00Z",
      finalizers: ["f"],
    });
    await observed(cache, structuredClone(marked)).request({ method: "DELETE", path });
    expect((await cache.get(Thing, key)).metadata.deletionTimestamp).toBeDefined();

    marked.metadata.resourceVersion = "902";
    delete (marked.metadata as { finalizers?: string[] }).finalizers;
    await observed(cache, structuredClone(marked)).request({ method: "PATCH", path });
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);

    server.delete("a");
    await clock.advance(0);
    server.put("a", "new");
    await clock.advance(0);
    expect((await cache.get(Thing, key)).value).toBe("new");
  });

  it("sees a deletion that is answered with a Status", async () => {
    const { cache, server, start } = setUp();
    cache.inform(Thing);
    const { metadata } = server.put("a", "1");
    await start();
    const body = { kind: "Status", apiVersion: "v1", status: "Success", details: { name: "a", uid: metadata?.uid } };
    await observed(cache, body).request({ method: "DELETE", path });
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);
    expect((await cache.list(Thing)).items).toEqual([]);
  });

  it("takes no dry run for a write", async () => {
    const { cache, server, start } = setUp();
    cache.inform(Thing);
    const first = server.put("a", "1");
    await start();
    const body = { ...first, value: "2", metadata: { ...first.metadata, resourceVersion: "900" } };
    await observed(cache, body).request({ method: "PUT", path, query: { dryRun: "All" } });
    expect((await cache.get(Thing, key)).value).toBe("1");
    const gone = { kind: "Status", status: "Success", details: { name: "a", uid: first.metadata?.uid } };
    await observed(cache, gone).request({ method: "DELETE", path, body: { kind: "DeleteOptions", dryRun: ["All"] } });
    expect((await cache.get(Thing, key)).value).toBe("1");
  });

  it("leaves an answer to its caller: what he changes in it doesn't get into the cache", async () => {
    const { cache, server, start } = setUp();
    cache.inform(Thing);
    const first = server.put("a", "1");
    await start();
    const body = { ...first, metadata: { ...first.metadata, resourceVersion: "900" } };
    const answer = await observed(cache, body).request({ method: "PUT", path });
    (answer.body as Thing).value = "changed by the caller";
    expect((await cache.get(Thing, key)).value).toBe("1");
  });
});
