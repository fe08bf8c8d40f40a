import type { ReconcileRecord } from "@kubewright/dashboard/protocol";
import { expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { ObjectStore } from "./objects.ts";

const game = (name: string, resourceVersion: number, text = ""): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Game",
  metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  spec: { text },
});

/** A store whose watch sends events. Resolves when all of them were read. */
async function storeOf(events: Iterable<{ type: string; object: KubeObject }>) {
  const stop = new AbortController();
  const versions: string[] = [];
  await new Promise<void>((resolve) => {
    async function* stream() {
      yield* events;
      resolve();
      await new Promise((end) => stop.signal.addEventListener("abort", end, { once: true }));
    }
    const client = {
      resourceOf: async (apiVersion: string, kind: string) => {
        versions.push(apiVersion);
        return { group: "example.com", version: "v1", kind, plural: "games", namespaced: true };
      },
      request: async () => ({ items: [], metadata: { resourceVersion: "1" } }),
      stream: async () => stream(),
    } as unknown as KubeClient;
    store = new ObjectStore(client, stop.signal);
    store.watch("example.com/v1", "Game", true);
  });
  stop.abort();
  return { store: store as ObjectStore, versions };
}
let store: ObjectStore | undefined;

const revisionsOf = (store: ObjectStore, name: string) => store.find({ kind: "Game", name })?.revisions ?? [];

fullTest("keeps the last revisions of each object, and forgets the oldest of all if they are large", async () => {
  // As large as a diff can be.
  const text = (index: number) => `${index} ${"x".repeat(20_000)}`;
  function* events() {
    let version = 1;
    for (let round = 0; round < 32; round++) {
      for (let index = 0; index < 100; index++) {
        yield { type: round === 0 ? "ADDED" : "MODIFIED", object: game(String(index), ++version, text(round)) };
      }
    }
  }
  const { store } = await storeOf(events());
  const lists = Array.from({ length: 100 }, (_, index) => revisionsOf(store, String(index)));
  const size = lists.flat().reduce((sum, { diff }) => sum + diff.length, 0);
  expect(size).toBeGreaterThan(30 * 1024 * 1024);
  expect(size).toBeLessThanOrEqual(48 * 1024 * 1024);
  // All objects have their latest ones.
  for (const list of lists) {
    expect(list.length).toBeGreaterThan(5);
    expect(list.length).toBeLessThanOrEqual(30);
    expect(list.at(-1)?.diff).toContain("+  text: 31 x");
  }
});

it("keeps the revisions of small objects, also after deletion", async () => {
  const { store } = await storeOf([
    { type: "ADDED", object: game("a", 2) },
    ...Array.from({ length: 40 }, (_, index) => ({ type: "MODIFIED", object: game("a", index + 3, String(index)) })),
    { type: "DELETED", object: game("a", 100, "39") },
  ]);
  expect(revisionsOf(store, "a")).toHaveLength(30);
  expect(revisionsOf(store, "a").at(-1)).toMatchObject({ type: "deleted", resourceVersion: "100" });
  expect(store.find({ kind: "Game", name: "a" })?.isGone).toBe(true);
});

it("watches a kind once, whatever the version", async () => {
  const { store, versions } = await storeOf([{ type: "ADDED", object: game("a", 2) }]);
  store.watch("example.com/v2", "Game", false);
  store.watch("other.com/v1", "Game", false);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(versions).toEqual(["example.com/v1"]);
  expect(store.summaries()).toMatchObject([{ name: "a", own: true }]);
});

it("has a history of objects that a reconcile wrote, from their creation on", async () => {
  const written: KubeObject = {
    apiVersion: "v1",
    kind: "Game",
    metadata: {
      ...{ name: "shared", namespace: "other", uid: "uid-shared", resourceVersion: "3" },
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
  };
  const { store } = await storeOf([
    { type: "ADDED", object: game("a", 2) },
    { type: "ADDED", object: written },
  ]);
  expect(revisionsOf(store, "shared")).toEqual([]);
  const reconcile = {
    object: { kind: "Game", namespace: "default", name: "a" },
    writes: [{ apiVersion: "v1", kind: "Game", namespace: "other", name: "shared" }],
  } as unknown as ReconcileRecord;
  for (let count = 0; count < 2; count++) store.addWritten(reconcile);
  expect(revisionsOf(store, "shared")).toMatchObject([{ type: "added", time: "2026-01-01T00:00:00Z" }]);
});
