import { describe, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { ApiError } from "../errors/api-error.ts";
import { isGone } from "../errors/predicates.ts";
import { fakeClient } from "../testing/fake-client.ts";
import type { ListOptions, Reader } from "./client.ts";
import { listPages } from "./pages.ts";

const ConfigMap = groupVersion("", "v1").kind("ConfigMap");
const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "ns" } });

/** Returns a reader of five objects, and the options of its lists. */
function setUp() {
  const client = fakeClient({ objects: ["a", "b", "c", "d", "e"].map(map) });
  const asked: ListOptions[] = [];
  const reader = {
    get: client.get,
    list: (kind, options = {}) => {
      asked.push(options);
      // The server ignores the limit if any revision will do.
      return client.list(kind, { ...options, resourceVersion: undefined });
    },
  } as Reader;
  return { reader, asked };
}

describe("listPages", () => {
  it("requests each page only when the loop needs it", async () => {
    const { reader, asked } = setUp();
    const pages: string[][] = [];
    for await (const { items } of listPages(reader, ConfigMap, { namespace: "ns", limit: 2, resourceVersion: "0" })) {
      pages.push(items.map(({ metadata }) => metadata.name));
      expect(asked).toHaveLength(pages.length);
    }
    expect(pages).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(asked.map(({ resourceVersion }) => resourceVersion)).toEqual(["0", undefined, undefined]);
    expect(asked.map((options) => Boolean(options.continue))).toEqual([false, true, true]);
  });

  it("requests 500 objects by default, stops with the loop, and yields one page for an empty list", async () => {
    const { reader, asked } = setUp();
    for await (const _ of listPages(reader, ConfigMap)) break;
    expect(asked.map(({ limit }) => limit)).toEqual([500]);
    const pages: number[] = [];
    for await (const { items } of listPages(reader, ConfigMap, { namespace: "empty" })) pages.push(items.length);
    expect(pages).toEqual([0]);
  });

  it("throws the error of a 410 if the continue token has expired", async () => {
    const { reader } = setUp();
    const forgetful = {
      list: (kind, options) =>
        options?.continue
          ? Promise.reject(new ApiError({ code: 410, reason: "Expired", message: "the token is too old" } as never))
          : reader.list(kind, options),
    } as Reader;
    const pages = listPages(forgetful, ConfigMap, { limit: 2 });
    await pages.next();
    await expect(pages.next()).rejects.toSatisfy(isGone);
  });
});
