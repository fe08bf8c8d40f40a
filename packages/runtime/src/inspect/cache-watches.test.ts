// The lag of a cache: for how long it has been behind the server.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type CacheWatch, CacheWatches } from "./cache-watches.ts";
import { requestInfo } from "./request-info.ts";

const path = "/api/v1/namespaces/default/configmaps";
const info = requestInfo(path)!;
const object = (resourceVersion: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default", resourceVersion },
});

let watches: CacheWatches;
let watch: CacheWatch;
const lag = () => watches.lagOf(watches.of("", "configmaps", false)!);

beforeEach(() => {
  vi.useFakeTimers();
  watches = new CacheWatches();
  watch = watches.opened(
    { method: "GET", path: "/api/v1/configmaps", query: { watch: true, resourceVersion: "5" } },
    requestInfo("/api/v1/configmaps")!,
  );
});
afterEach(() => vi.useRealTimers());

it("is 0 while nothing changes, also after old objects and deletions", () => {
  expect(lag()).toBe(0);
  watch.event(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", managedFields: [{ time: "2020-01-01T00:00:00Z" }] },
    } as never,
    "6",
  );
  vi.advanceTimersByTime(3_600_000);
  expect(lag()).toBe(0);
});

it("doesn't depend on the wall clock", () => {
  watches.wrote(info, object("7"));
  vi.advanceTimersByTime(400);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(lag()).toBe(400);
  vi.setSystemTime(Date.now() - 7_200_000);
  expect(lag()).toBe(400);
});

it("grows from a write until the watch delivers it", () => {
  watches.wrote(info, object("7"));
  vi.advanceTimersByTime(400);
  watches.wrote(info, object("8"));
  vi.advanceTimersByTime(100);
  expect(lag()).toBe(500);
  watch.event(object("7") as never, "7");
  expect(lag()).toBe(500);
  watch.event(object("8") as never, "8");
  vi.advanceTimersByTime(1000);
  expect(lag()).toBe(0);
  // Its answer arrives after the event.
  watches.wrote(info, object("8"));
  expect(lag()).toBe(0);
  watches.wrote(info, object("9"));
  watch.event(undefined, "10");
  expect(lag()).toBe(0);
});

it("grows while no watch is connected", () => {
  watch.ended();
  watch.ended();
  vi.advanceTimersByTime(3000);
  expect(lag()).toBe(3000);
  watches.opened({ method: "GET", path, query: { watch: true } }, info);
  expect(lag()).toBe(0);
});
