import { expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { silentLogger } from "../log/logger.ts";
import { shardHash } from "../shards/hash.ts";
import type { HashRange } from "../shards/ranges.ts";
import type { ListPage, ListRequest } from "./list-watch.ts";
import { ShardScope } from "./shard-scope.ts";
import { keyOf } from "./store.ts";

const object = (namespace: string, version: number, name = "x"): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { namespace, name, uid: `${namespace}-${name}`, resourceVersion: String(version) },
});

/** The range of one namespace. */
const range = (namespace: string): HashRange => {
  const start = shardHash(namespace);
  return { start, end: start + 1n };
};

/** A scope whose reflector and lists are controlled by the test. */
function scopeOf(ranges: readonly HashRange[], supportsSelectors = false) {
  const store = new Map<string, KubernetesObject>();
  const log: string[] = [];
  let answer: (page: ListPage) => void = () => {};
  const requests: ListRequest[] = [];
  const stop = new AbortController();
  const scope = new ShardScope({
    values: ["namespace"],
    ranges,
    clock: new VirtualClock(),
    log: silentLogger,
    onFiltered: () => void log.push("filtered"),
    onServerSide: () => {},
    target: {
      replace: (objects) => {
        store.clear();
        for (const item of objects) store.set(keyOf(item), item);
      },
      set: (item) => void store.set(keyOf(item), item),
      add: (item) => void store.set(keyOf(item), item),
      remove: (item) => void store.delete(keyOf(item)),
      has: (item) => store.has(keyOf(item)),
      drop: (isDropped) => {
        for (const item of [...store.values()]) if (isDropped(item)) store.delete(keyOf(item));
      },
      progress: () => {},
    },
    listWatch: {
      list: async (request) => {
        requests.push(request);
        if (request.limit === 1) {
          const shardSelector = supportsSelectors ? request.shardSelector : undefined;
          return { items: [], resourceVersion: "1", shardSelector };
        }
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      watch: async () => {
        throw new Error("unused");
      },
    },
    newReflector: () => ({
      run: (signal) =>
        new Promise((resolve) => {
          log.push("list");
          signal.addEventListener("abort", () => resolve(), { once: true });
        }),
      restart: () => void log.push("restart"),
    }),
  });
  void scope.run(stop.signal);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  const names = () => [...store.values()].map(({ metadata }) => `${metadata!.namespace}@${metadata!.resourceVersion}`);
  return { scope, log, requests, names, settle, stop, answer: (page: ListPage) => answer(page) };
}

it("keeps only the objects of its ranges, and counts the others", async () => {
  const { scope, names, settle, log } = scopeOf([range("a")]);
  await settle();
  scope.replace([object("a", 5), object("b", 6)], "9");
  scope.set(object("b", 10));
  scope.set(object("a", 11));
  scope.remove(object("b", 12));
  expect([names(), log]).toEqual([["a@11"], ["list", "filtered", "filtered", "filtered"]]);
});

it("without a range, it is in sync and requests nothing; the first range is the first list", async () => {
  const { scope, settle, names, log, requests } = scopeOf([]);
  await settle();
  expect([log, requests]).toEqual([[], []]);
  const acquired = scope.acquire([range("a")], new AbortController().signal);
  await settle();
  expect(log).toEqual(["list"]);
  scope.replace([object("a", 5), object("b", 6)], "9");
  await acquired;
  expect(names()).toEqual(["a@5"]);
});

it("a move lists only the range that moves, consistently, and loses no change of it", async () => {
  const { scope, settle, names, requests, answer } = scopeOf([range("a")], true);
  await settle();
  scope.replace([object("a", 5)], "9");
  const acquired = scope.acquire([range("b")], new AbortController().signal);
  await settle();
  const { resourceVersion, shardSelector } = requests.at(-1)!;
  const { start, end } = range("b");
  const hex = (hash: bigint) => `0x${hash.toString(16).padStart(16, "0")}`;
  expect(resourceVersion).toBeUndefined();
  expect(shardSelector).toBe(`shardRange(object.metadata.namespace, '${hex(start)}', '${hex(end)}')`);
  scope.set(object("b", 8));
  scope.set(object("b", 21));
  scope.remove(object("b", 22, "gone"));
  expect(names()).toEqual(["a@5"]);
  answer({ items: [object("b", 12), object("b", 13, "gone"), object("c", 3)], resourceVersion: "20" });
  await acquired;
  expect(names()).toEqual(["a@5", "b@21"]);
});

it("an event that is older than the list of the range changes nothing", async () => {
  const { scope, settle, names, answer } = scopeOf([range("a")]);
  await settle();
  scope.replace([], "9");
  const acquired = scope.acquire([range("b")], new AbortController().signal);
  await settle();
  scope.set(object("b", 10));
  scope.remove(object("b", 11));
  scope.set(object("b", 12, "deleted"));
  answer({ items: [object("b", 15)], resourceVersion: "20" });
  await acquired;
  expect(names()).toEqual(["b@15"]);
});

it("a new list of the watch replaces that of the range if it is newer", async () => {
  const { scope, settle, names, answer } = scopeOf([range("a")]);
  await settle();
  scope.replace([], "9");
  const acquired = scope.acquire([range("b")], new AbortController().signal);
  await settle();
  scope.replace([object("a", 22), object("b", 23)], "30");
  scope.set(object("b", 31, "new"));
  answer({ items: [object("b", 15), object("b", 16, "deleted")], resourceVersion: "20" });
  await acquired;
  expect(names().sort()).toEqual(["a@22", "b@23", "b@31"]);
});

it("releasing a range drops its objects without events, and the last one ends the watch", async () => {
  const { scope, settle, names, log } = scopeOf([range("a"), range("b")], true);
  await settle();
  scope.replace([object("a", 5), object("b", 6)], "9");
  scope.release([range("a")]);
  expect([names(), log]).toEqual([["b@6"], ["list", "restart"]]);
  scope.release([range("b")]);
  await settle();
  expect(names()).toEqual([]);
  const acquired = scope.acquire([range("b")], new AbortController().signal);
  await settle();
  expect(log).toEqual(["list", "restart", "list"]);
  scope.replace([object("b", 40)], "41");
  await acquired;
  expect(names()).toEqual(["b@40"]);
});

it("an acquisition that is aborted leaves nothing behind", async () => {
  const { scope, settle, names, answer } = scopeOf([range("a")]);
  await settle();
  scope.replace([object("a", 5)], "9");
  const stop = new AbortController();
  const acquired = scope.acquire([range("b")], stop.signal);
  await settle();
  scope.set(object("b", 10));
  stop.abort();
  await settle();
  answer({ items: [object("b", 12)], resourceVersion: "20" });
  await acquired;
  scope.set(object("b", 21));
  expect(names()).toEqual(["a@5"]);
});
