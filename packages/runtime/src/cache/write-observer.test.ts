import { describe, expect, it } from "vitest";
import { isNotFound } from "../errors/predicates.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { key, setUp } from "./cache.fixture.ts";
import type { InformerCache } from "./cache.ts";
import { Thing } from "./fake-server.fixture.ts";
import { observeWrites } from "./write-observer.ts";

describe("the observer of own writes", () => {
  const path = "/apis/test/v1/namespaces/ns/things/a";

  function observed(cache: InformerCache, body: unknown): Transport {
    const inner = {
      request: async () => ({ status: 200, headers: {}, body }),
      stream: async () => null,
      close: async () => {},
    };
    return observeWrites(inner as unknown as Transport, cache);
  }

  it("I17: makes own writes readable before the watch event, and the writes of others after it", async () => {
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

  it("observes creations, deletions and the removal of the last finalizer", async () => {
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

  it("observes a deletion that is answered with a Status", async () => {
    const { cache, server, start } = setUp();
    cache.inform(Thing);
    const { metadata } = server.put("a", "1");
    await start();
    const body = { kind: "Status", apiVersion: "v1", status: "Success", details: { name: "a", uid: metadata?.uid } };
    await observed(cache, body).request({ method: "DELETE", path });
    await expect(cache.get(Thing, key)).rejects.toSatisfy(isNotFound);
    expect((await cache.list(Thing)).items).toEqual([]);
  });

  it("ignores dry runs", async () => {
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

  it("copies the response, so that changes by the caller don't reach the cache", async () => {
    const { cache, server, start } = setUp();
    cache.inform(Thing);
    const first = server.put("a", "1");
    await start();
    const body = { ...first, metadata: { ...first.metadata, resourceVersion: "900" } };
    const answer = await observed(cache, body).request({ method: "PUT", path });
    (answer.body as Thing).value = "changed by the caller";
    expect((await cache.get(Thing, key)).value).toBe("1");
  });

  it("keeps a Namespace with finalizers of its own visible until they are gone", async () => {
    const seen: string[] = [];
    const observer = {
      wrote: ({ metadata }: { metadata?: { name?: string } }) => seen.push(`wrote ${metadata?.name}`),
      deleted: ({ name }: { name: string }) => seen.push(`deleted ${name}`),
      watches: () => true,
    };
    const namespace = (finalizers: string[]) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: "a",
        uid: "u",
        resourceVersion: "7",
        deletionTimestamp: "2026-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 0,
      },
      spec: { finalizers },
      status: { phase: "Terminating" },
    });
    const send = (method: "DELETE" | "PATCH" | "PUT", path: string, body: unknown) =>
      observeWrites(
        { request: async () => ({ status: 200, headers: {}, body }) } as unknown as Transport,
        observer,
      ).request({ method, path });
    await send("DELETE", "/api/v1/namespaces/a", namespace(["kubernetes"]));
    await send("PATCH", "/api/v1/namespaces/a", namespace(["kubernetes"]));
    await send("PUT", "/api/v1/namespaces/a/finalize", namespace([]));
    expect(seen).toEqual(["wrote a", "wrote a", "deleted a"]);
  });

  it("shows the objects that deleteAllOf removed or marked, with a single list", async () => {
    const { cache, server, start } = setUp();
    cache.inform(Thing);
    const [a, b] = ["a", "b"].map((name) => server.put(name, name));
    server.put("other", "stays");
    await start();
    const list = (...items: unknown[]) => ({ apiVersion: "test/v1", kind: "ThingList", metadata: {}, items });
    const marked = structuredClone(b!);
    Object.assign(marked.metadata!, { resourceVersion: "900", deletionTimestamp: "2026-01-01T00:00:00Z" });
    const requests: string[] = [];
    let fails = false;
    const inner = {
      request: async ({ method, path, query }: TransportRequest) => {
        requests.push(`${method} ${path} ${query?.labelSelector}`);
        if (method === "GET" && fails) throw new Error("no");
        return { status: 200, headers: {}, body: method === "DELETE" ? list(a, b) : list(marked) };
      },
    } as unknown as Transport;
    const collection = { path: "/apis/test/v1/namespaces/ns/things", query: { labelSelector: "x=y" } };
    fails = true;
    await observeWrites(inner, cache).request({ method: "DELETE", ...collection });
    expect((await cache.list(Thing)).items).toHaveLength(3);
    fails = false;
    await observeWrites(inner, cache).request({ method: "DELETE", ...collection });
    const { items } = await cache.list(Thing);
    expect(items.map(({ metadata }) => `${metadata.name} ${metadata.deletionTimestamp !== undefined}`).sort()).toEqual([
      "b true",
      "other false",
    ]);
    expect(requests.slice(-2)).toEqual([`DELETE ${collection.path} x=y`, `GET ${collection.path} x=y`]);
    await observeWrites(inner, { ...cache, watches: () => false } as never).request({
      method: "DELETE",
      ...collection,
    });
    expect(requests).toHaveLength(5);
  });
});
