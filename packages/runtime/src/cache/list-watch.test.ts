import { describe, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { createListWatch, type WatchScope } from "./list-watch.ts";

const Thing = groupVersion("test", "v1").kind("Thing");
const Pod = groupVersion("", "v1").kind("Pod");
const { signal } = new AbortController();

function setUp(
  body: unknown,
  {
    kind = Thing,
    scope = {},
    metadataOnly = false,
  }: { kind?: typeof Thing; scope?: WatchScope; metadataOnly?: boolean } = {},
) {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    async request(request) {
      requests.push(request);
      return { status: 200, headers: {}, body };
    },
    async stream(request) {
      requests.push(request);
      return { close: async () => {}, async *[Symbol.asyncIterator]() {} };
    },
    close: async () => {},
  };
  const mapping = async () => ({ plural: "things", namespaced: true });
  return { requests, listWatch: createListWatch({ transport, mapping, kind, scope, metadataOnly }) };
}

const list = { kind: "ThingList", metadata: { resourceVersion: "7" }, items: [{ metadata: { name: "a" } }] };

describe("ListWatch", () => {
  it("adds apiVersion and kind to the items of a list", async () => {
    const { listWatch, requests } = setUp(list);
    expect(await listWatch.list({ resourceVersion: "0", signal })).toEqual({
      items: [{ apiVersion: "test/v1", kind: "Thing", metadata: { name: "a" } }],
      resourceVersion: "7",
      continue: undefined,
    });
    expect(requests[0]).toMatchObject({ method: "GET", path: "/apis/test/v1/things", query: { resourceVersion: "0" } });
  });

  it("lists in pages, and sends the version only with the first page", async () => {
    const { listWatch, requests } = setUp({ ...list, metadata: { resourceVersion: "7", continue: "next" } });
    expect((await listWatch.list({ resourceVersion: "5", limit: 1, signal })).continue).toBe("next");
    await listWatch.list({ resourceVersion: "5", limit: 1, continue: "next", signal });
    expect(requests.map(({ query }) => [query?.resourceVersion, query?.limit, query?.continue])).toEqual([
      ["5", 1, undefined],
      [undefined, 1, "next"],
    ]);
  });

  it("reads null items as an empty list, because Go writes empty lists like this", async () => {
    const { listWatch } = setUp({ ...list, items: null });
    expect((await listWatch.list({ signal })).items).toEqual([]);
  });

  it.each([
    ["{}", {}],
    ["null", null],
    ["nothing", undefined],
    ["a single object", { kind: "Thing", metadata: { resourceVersion: "7" }, items: [] }],
    ["a list without version", { ...list, metadata: {} }],
    ["a list with an empty version", { ...list, metadata: { resourceVersion: "" } }],
    ["a list whose items aren't an array", { ...list, items: {} }],
    ["a list without items", { kind: "ThingList", metadata: { resourceVersion: "7" } }],
  ])("rejects %s with status 200 instead of returning an empty list", async (_name, body) => {
    const { listWatch } = setUp(body);
    await expect(listWatch.list({ signal })).rejects.toMatchObject({ code: "EBADANSWER" });
  });

  it("sends namespace, selectors and the media type for metadata only", async () => {
    const scope = { namespace: "ns", labels: "a=b", fields: "c=d" };
    const { listWatch, requests } = setUp(list, { kind: Pod, scope, metadataOnly: true });
    await listWatch.list({ signal });
    await listWatch.watch({ resourceVersion: "7", timeoutSeconds: 300, signal });
    for (const { path, query, accept } of requests) {
      expect(path).toBe("/api/v1/namespaces/ns/things");
      expect(query).toMatchObject({ labelSelector: "a=b", fieldSelector: "c=d" });
      expect(accept).toMatch(/as=PartialObjectMetadata(List)?;/);
    }
  });

  it("I3, I6: watches with bookmarks, and with initial events if requested", async () => {
    const { listWatch, requests } = setUp(undefined);
    await listWatch.watch({ resourceVersion: "7", timeoutSeconds: 300, signal });
    await listWatch.watch({ resourceVersion: "", timeoutSeconds: 400, sendInitialEvents: true, signal });
    expect(requests.map(({ query }) => query)).toMatchObject([
      {
        watch: true,
        allowWatchBookmarks: true,
        timeoutSeconds: 300,
        resourceVersion: "7",
        resourceVersionMatch: undefined,
      },
      { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", timeoutSeconds: 400 },
    ]);
  });
});
