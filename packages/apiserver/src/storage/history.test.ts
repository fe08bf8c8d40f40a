import { describe, expect, test } from "vitest";
import { Store } from "./store.ts";

let now = 0;
const text = (value: string) => (revision: number) => JSON.stringify({ value, revision });

function open(limits = {}) {
  const store = new Store({ now: () => now, limits });
  return { store, pods: store.collection("pods") };
}

describe("past changes", () => {
  test("beyond the maximum size are dropped, except for the last one", () => {
    const { store, pods } = open({ size: 1000 });
    for (let i = 0; i < 100; i++) store.put(pods, "a/x", text("x".repeat(100)));
    const kept = pods.changesSince(0);
    const size = kept.reduce((sum, { entry }) => sum + entry.text.length, 0);
    expect(size).toBeGreaterThan(500);
    expect(size).toBeLessThanOrEqual(1500);
    expect(pods.compacted).toBe(store.revision - kept.length);
    store.put(pods, "a/x", text("x".repeat(5000)));
    expect(pods.changesSince(0)).toHaveLength(1);
  });

  test("are counted correctly after a return to a past revision", () => {
    const { store, pods } = open({ size: 1000 });
    const { revision } = store.put(pods, "a/x", text("1"));
    for (let round = 0; round < 20; round++) {
      store.put(pods, "a/x", text("x".repeat(500)));
      store.restore(revision);
    }
    expect(pods.changesSince(0)).toHaveLength(1);
    store.put(pods, "a/x", text("2"));
    expect(pods.changesSince(0)).toHaveLength(2);
  });

  test("of a collection that isn't written are dropped too when they are too old", () => {
    now = 0;
    const { store, pods } = open({ age: 1000 });
    const old = store.put(pods, "a/x", text("1")).revision;
    const nodes = store.collection("nodes");
    now = 900;
    store.put(nodes, "n", text("1"));
    expect(pods.changesSince(0)).toHaveLength(1);
    now = 1500;
    store.put(nodes, "n", text("2"));
    expect(pods.changesSince(0)).toEqual([]);
    expect(pods.compacted).toBe(old);
    expect(pods.get("a/x")).toBeDefined();
    expect(nodes.changesSince(0)).toHaveLength(2);
  });
});

describe("a retired collection", () => {
  const names = (store: Store): string[] => [...store.collections()].map(({ name }) => name);

  /** Lets the past expire. */
  function expire(store: Store): void {
    now += 10_000;
    store.put(store.collection("others"), "a/x", text("1"));
  }

  test("is removed when it is empty and its past has expired", () => {
    const { store, pods } = open({ age: 1000 });
    store.put(pods, "a/x", text("1"));
    const { revision } = store.delete(pods, "a/x", text("gone"));
    store.retire("pods");
    store.put(store.collection("others"), "a/x", text("1"));
    expect(names(store)).toContain("pods");
    expire(store);
    expect(names(store)).not.toContain("pods");
    expect(store.collection("pods").compacted).toBe(revision);
    expect(() => store.restore(revision - 1)).toThrow(RangeError);
  });

  test("stays while it has objects or listeners, or if it is reinstated", () => {
    const { store, pods } = open({ age: 1000 });
    for (const name of ["followed", "reinstated"]) store.collection(name);
    const end = store.collection("followed").onChange(() => {});
    store.put(pods, "a/x", text("1"));
    for (const name of ["pods", "followed", "reinstated"]) store.retire(name);
    store.reinstate("reinstated");
    expire(store);
    expect(names(store)).toEqual(["pods", "followed", "reinstated", "others"]);
    end();
    expire(store);
    expect(names(store)).toEqual(["pods", "reinstated", "others"]);
  });
});

test("lists are those of a past revision, whatever was written since", () => {
  const { store, pods } = open();
  let seed = 11;
  const random = (limit: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
  const past: { revision: number; states: ReturnType<typeof pods.list> }[] = [];
  for (let i = 0; i < 300; i++) {
    const key = `n${random(3)}/o${random(20)}`;
    if (random(3) === 0 && pods.get(key)) store.delete(pods, key, text("gone"));
    else store.put(pods, key, text(String(i)));
    past.push({ revision: store.revision, states: pods.list("n1/") });
  }
  for (const { revision, states } of past) expect(pods.listAt("n1/", revision)).toEqual(states);
});
