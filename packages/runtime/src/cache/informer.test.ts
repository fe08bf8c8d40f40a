import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { FakeServer, type Thing } from "./fake-server.fixture.ts";
import { recorder, setUpInformer } from "./informer.fixture.ts";
import type { Informer } from "./informer.ts";
import { kindSettings } from "./options.ts";

const names = (objects: Iterable<{ metadata?: { name?: string } }>) =>
  [...objects].map(({ metadata }) => metadata?.name);

describe("the events of an informer", () => {
  it("I1: reach handlers after the store contains the object", async () => {
    const { server, informer, start, clock } = setUpInformer();
    const seen: unknown[] = [];
    informer.addHandler({
      create: ({ object }) => void seen.push(informer.store.get("ns/a") === object),
      update: ({ object }) => void seen.push(informer.store.get("ns/a") === object),
      delete: () => void seen.push(informer.store.get("ns/a")),
    });
    await start();
    server.put("a", "1");
    await clock.advance(0);
    server.put("a", "2");
    await clock.advance(0);
    server.delete("a");
    await clock.advance(0);
    expect(seen).toEqual([true, true, undefined]);
  });

  it("I2: reach a handler one at a time and in order per object; slow handlers delay no others", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    const finish: (() => void)[] = [];
    const slow: string[] = [];
    informer.addHandler({
      ...recorder(slow),
      create: ({ object }) => {
        slow.push(`begin ${object.metadata?.name}`);
        return new Promise((resolve) => {
          finish.push(() => {
            slow.push(`end ${object.metadata?.name}`);
            resolve();
          });
        });
      },
    });
    informer.addHandler(handler);
    await start();
    server.put("a", "1");
    server.put("b", "1");
    server.put("a", "2");
    await clock.advance(0);
    expect(events).toEqual(["create a=1", "create b=1", "update a=1>2"]);
    expect(slow).toEqual(["begin a", "begin b"]);
    finish[1]!();
    await clock.advance(0);
    expect(slow).toEqual(["begin a", "begin b", "end b"]);
    finish[0]!();
    await clock.advance(0);
    expect(slow).toEqual(["begin a", "begin b", "end b", "end a", "update a=1>2"]);
  });

  it("are retried a few times if the handler's promise rejects, without delaying other objects", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    let failures = 2;
    informer.addHandler({
      ...handler,
      create: async (event) => {
        if (event.object.metadata?.name === "a" && failures-- > 0) throw new Error("no");
        if (event.object.metadata?.name === "hopeless") throw new Error("never");
        return handler.create(event);
      },
    });
    await start();
    server.put("a", "1");
    server.put("hopeless", "1");
    server.put("c", "1");
    await clock.advance(0);
    expect(events).toEqual(["create c=1"]);
    await clock.advance(10_000);
    expect(events).toEqual(["create c=1", "create a=1"]);
  });

  it("reach a handler that is added late as an initial list of all objects", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    server.put("a", "1");
    await start();
    const registration = informer.addHandler(handler);
    expect(registration.hasSynced).toBe(false);
    await clock.advance(0);
    expect(events).toEqual(["create a=1 (initial)"]);
    expect(registration.hasSynced).toBe(true);
  });

  it("mark a handler as synced after it has handled the whole initial list", async () => {
    const { server, informer, start, clock } = setUpInformer();
    server.put("a", "1");
    server.put("b", "1");
    const finish: (() => void)[] = [];
    const registration = informer.addHandler({
      ...recorder([]),
      create: () => new Promise((resolve) => void finish.push(resolve)),
    });
    await start();
    expect([informer.hasSynced, registration.hasSynced]).toEqual([true, false]);
    finish[0]!();
    await clock.advance(0);
    expect(registration.hasSynced).toBe(false);
    finish[1]!();
    await clock.advance(0);
    expect(registration.hasSynced).toBe(true);
  });

  it("don't reach a removed handler", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    const registration = informer.addHandler(handler);
    await start();
    registration.remove();
    server.put("a", "1");
    await clock.advance(0);
    expect(events).toEqual([]);
  });

  it("I10: of a resync are updates without a difference, and cause no request", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer({ syncPeriod: 60_000 });
    server.put("a", "1");
    informer.addHandler(handler);
    await start();
    const requests = server.requests.length;
    await clock.advance(60_000);
    expect(events).toEqual(["create a=1 (initial)", "update a=1>1"]);
    expect(server.requests).toHaveLength(requests);
  });

  it("I16: contain transformed objects without managedFields", async () => {
    const { scopes } = kindSettings(
      { defaultTransform: (object) => Object.assign(object, { value: "changed" }) },
      { group: "test", version: "v1", kind: "Thing", apiVersion: "test/v1" },
    );
    const { server, informer, start } = setUpInformer({ scopes: async () => scopes(true) });
    server.put("a", "1");
    await start();
    expect(informer.store.get("ns/a")).toMatchObject({ value: "changed" });
    expect(informer.store.get("ns/a")?.metadata?.managedFields).toBeUndefined();
  });

  it("I16: contain objects transformed by their own scope, own writes included", async () => {
    const mark = (value: string) => (object: KubernetesObject) => Object.assign(object, { value });
    const servers: Record<string, FakeServer> = { one: new FakeServer(), two: new FakeServer() };
    const { informer, start, clock, events } = setUpInformer({
      scopes: async () => [
        { namespace: "one", transform: mark("first") },
        { namespace: "two", transform: mark("second") },
      ],
      listWatch: ({ namespace }) => servers[namespace!]!,
    });
    informer.addHandler(recorder(events));
    servers.one!.put("a", "1", "one");
    await start();
    const own = servers.two!.put("b", "1", "two");
    informer.wrote(own);
    expect(informer.ownWrites.get("two/b")).toMatchObject({ value: "second" });
    await clock.advance(0);
    servers.one!.delete("a", "one");
    await clock.advance(0);
    expect(events).toEqual(["create a=first (initial)", "create b=second", "delete a"]);
  });

  it("contain frozen objects", async () => {
    const { server, informer, start } = setUpInformer();
    server.put("a", "1");
    await start();
    expect(() => {
      informer.store.get("ns/a")!.metadata!.labels!.value = "2";
    }).toThrow(TypeError);
  });
});

describe("the lists and watches of an informer", () => {
  it("I3: stream the initial list and continue with the same watch", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    server.put("a", "1");
    informer.addHandler(handler);
    await start();
    server.put("b", "1");
    await clock.advance(0);
    expect(server.requests).toEqual(["stream "]);
    expect(events).toEqual(["create a=1 (initial)", "create b=1"]);
    expect(informer.hasSynced).toBe(true);
  });

  it("I3: fall back to a list from version 0 if the server rejects streaming", async () => {
    const { server, informer, start, events, handler } = setUpInformer();
    server.streamsLists = false;
    server.put("a", "1");
    informer.addHandler(handler);
    await start();
    expect(server.requests).toEqual(["stream ", "list 0", "watch 11"]);
    expect(events).toEqual(["create a=1 (initial)"]);
  });

  it("I3: fall back to a list if the stream ends before the list is complete", async () => {
    const { server, informer, start, clock } = setUpInformer();
    const watch = server.watch.bind(server);
    server.watch = async (request) => {
      const stream = await watch(request);
      if (request.sendInitialEvents) {
        return { close: () => stream.close(), async *[Symbol.asyncIterator]() {} };
      }
      return stream;
    };
    server.put("a", "1");
    await start();
    await clock.advance(0);
    expect(names(informer.store.values())).toEqual(["a"]);
  });

  it("I4: relist in pages from the last version seen, and without a version after 410", async () => {
    const { server, informer, start, clock } = setUpInformer();
    server.streamsLists = false;
    for (let i = 0; i < 1200; i++) server.put(`${i}`, "1");
    await start();
    server.compact();
    server.put("x", "1");
    server.breakWatches(ApiError.create(410, "Expired", "too old"));
    await clock.advance(0);
    expect(server.requests.slice(3)).toEqual(["list ", "list  (page 500)", "list  (page 1000)", "watch 1211"]);
    expect(informer.store.size).toBe(1201);
  });

  it("I5: continue from the last version when a watch ends, without a list", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    informer.addHandler(handler);
    await start();
    server.put("a", "1");
    await clock.advance(2000);
    server.endWatches();
    server.put("b", "1");
    await clock.advance(0);
    expect(server.requests).toEqual(["stream ", "watch 11"]);
    expect(events).toEqual(["create a=1", "create b=1"]);
  });

  it("I5: retry a watch that was rejected with 429 from the same version", async () => {
    const { server, start, clock } = setUpInformer();
    await start();
    let refusals = 2;
    server.refuse = () => {
      if (refusals-- > 0) throw ApiError.create(429, "TooManyRequests", "busy");
    };
    await clock.advance(2000);
    server.endWatches();
    await clock.advance(20_000);
    expect(server.requests).toEqual(["stream ", "watch 10", "watch 10", "watch 10"]);
  });

  it("I5: list again after an expired watch, and report only differences", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    server.put("kept", "1");
    server.put("changed", "1");
    server.put("gone", "1");
    informer.addHandler(handler);
    await start();
    events.length = 0;
    server.endWatches();
    server.put("changed", "2");
    server.delete("gone");
    server.put("new", "1");
    server.compact();
    await clock.advance(5000);
    expect(events).toEqual(["delete gone (unknown)", "update changed=1>2", "create new=1"]);
    expect(server.openWatches).toBe(1);
  });

  it("I6: store the version of bookmarks without calling a handler", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    informer.addHandler(handler);
    await start();
    server.bookmark();
    await clock.advance(2000);
    server.endWatches();
    await clock.advance(0);
    expect(events).toEqual([]);
    expect(server.requests.at(-1)).toBe("watch 11");
  });

  it("I7: never empty the store during a relist", async () => {
    const { server, informer, start, clock } = setUpInformer();
    server.put("a", "1");
    server.put("gone", "1");
    await start();
    const sizes: number[] = [];
    informer.addHandler({ ...recorder([]), delete: () => void sizes.push(informer.store.size) });
    server.compact();
    server.delete("gone");
    server.breakWatches(ApiError.create(410, "Expired", "too old"));
    await clock.advance(0);
    expect(sizes).toEqual([1]);
  });

  it("I8: report an object that was recreated during an outage as an update with another UID", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    server.put("a", "1");
    informer.addHandler(handler);
    await start();
    const before = informer.store.get("ns/a")?.metadata?.uid;
    server.breakWatches(ApiError.create(410, "Expired", "too old"));
    server.delete("a");
    server.put("a", "2");
    await clock.advance(0);
    expect(events).toEqual(["create a=1 (initial)", "update a=1>2"]);
    expect(informer.store.get("ns/a")?.metadata?.uid).not.toBe(before);
  });

  it("I9: report no objects with an unchanged version after a relist", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    server.put("a", "1");
    informer.addHandler(handler);
    await start();
    server.breakWatches(ApiError.create(410, "Expired", "too old"));
    await clock.advance(0);
    expect(events).toEqual(["create a=1 (initial)"]);
  });

  it.each([
    ["while the watch is lost", (informer: Informer<Thing>, own: Thing) => informer.wrote(own)],
    [
      "by this process too",
      (informer: Informer<Thing>, own: Thing) => {
        informer.wrote(own);
        informer.ownWrites.removed("ns/own", own.metadata?.uid as string);
      },
    ],
  ])("I17: report an own object that is deleted %s: reads have returned it", async (_how, write) => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    informer.addHandler(handler);
    await start();
    server.breakWatches(ApiError.create(410, "Expired", "too old"));
    write(informer, server.put("own", "1"));
    server.delete("own");
    await clock.advance(0);
    expect(events).toEqual(["create own=1", "delete own (unknown)"]);
    expect(informer.ownWrites.get("ns/own")).toBeUndefined();
    server.bookmark();
    await clock.advance(2000);
    expect(events).toHaveLength(2);
  });

  it("I17: report an own object once if the watch has delivered it", async () => {
    const { server, informer, start, clock, events, handler } = setUpInformer();
    informer.addHandler(handler);
    await start();
    informer.wrote(server.put("own", "1"));
    await clock.advance(0);
    informer.wrote(server.put("own", "2"));
    server.breakWatches(ApiError.create(410, "Expired", "too old"));
    server.delete("own");
    await clock.advance(0);
    expect(events.filter((event) => !event.startsWith("update"))).toEqual(["create own=1", "delete own (unknown)"]);
  });

  it("I18: close the watch when the informer stops", async () => {
    const { server, informer, start } = setUpInformer();
    await start();
    expect(server.openWatches).toBe(1);
    await informer.stop();
    expect(server.openWatches).toBe(0);
  });

  it("fill one store from several scopes; a relist of one scope keeps the objects of the others", async () => {
    const servers: Record<string, FakeServer> = { one: new FakeServer(), two: new FakeServer() };
    const { informer, start, clock } = setUpInformer({
      scopes: async () => [{ namespace: "one" }, { namespace: "two" }],
      listWatch: ({ namespace }) => servers[namespace!]!,
    });
    servers.one!.put("a", "1", "one");
    servers.two!.put("b", "1", "two");
    await start();
    expect(names(informer.store.values()).sort()).toEqual(["a", "b"]);
    servers.one!.breakWatches(ApiError.create(410, "Expired", "too old"));
    servers.one!.delete("a", "one");
    await clock.advance(0);
    expect(names(informer.store.values())).toEqual(["b"]);
    expect([informer.covers("one"), informer.covers("three")]).toEqual([true, false]);
  });
});
