import { describe, expect, it } from "vitest";
import type { Thing } from "./fake-server.fixture.ts";
import { OwnWrites } from "./own-writes.ts";
import { Store } from "./store.ts";

function setUp() {
  let now = 0;
  const store = new Store<Thing>();
  const writes = new OwnWrites<Thing>(store, () => now);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { store, writes, pass };
}

function thing(name: string, version: number, uid = "u1", value = `v${version}`): Thing {
  const metadata = { name, namespace: "ns", uid, resourceVersion: String(version), labels: { value } };
  return { apiVersion: "test/v1", kind: "Thing", metadata, value };
}

const all = () => true;
const values = (things: Thing[]) => things.map(({ value }) => value).sort();

describe("OwnWrites", () => {
  it("returns the newer of the store's version and the written version", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 5));
    writes.wrote(thing("a", 7), 5n);
    expect(writes.get("ns/a")?.value).toBe("v7");
    store.set(thing("a", 9));
    expect(writes.get("ns/a")?.value).toBe("v9");
  });

  it("returns created objects before the informer has seen them, also in lists", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 5));
    writes.wrote(thing("b", 6), 5n);
    expect(values(writes.overlay(store.values(), all))).toEqual(["v5", "v6"]);
  });

  it("adds a written object to the lists that it matches, and removes it from others", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 5, "u1", "red"));
    writes.wrote(thing("a", 6, "u1", "blue"), 5n);
    const list = (value: string) => {
      const matches = (object: Thing) => object.value === value;
      return values(writes.overlay([...store.values()].filter(matches), matches));
    };
    expect([list("red"), list("blue")]).toEqual([[], ["blue"]]);
  });

  it("hides a deleted object until the informer has seen the deletion, but not its successor", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 5));
    writes.removed("ns/a", "u1");
    expect(writes.get("ns/a")).toBeUndefined();
    expect(writes.overlay(store.values(), all)).toEqual([]);
    writes.wrote(thing("a", 8, "u2"), 5n);
    expect(writes.get("ns/a")?.metadata?.uid).toBe("u2");
    store.delete("ns/a");
    writes.sawDeletion("ns/a", "u1");
    store.set(thing("a", 8, "u2"));
    writes.seen(8n);
    expect([writes.get("ns/a")?.value, writes.size]).toEqual(["v8", 0]);
  });

  it("hides an object that was created and deleted before the informer has seen either event", () => {
    const { store, writes } = setUp();
    writes.wrote(thing("a", 6), 5n);
    writes.removed("ns/a", "u1");
    store.set(thing("a", 6));
    expect(writes.get("ns/a")).toBeUndefined();
    writes.sawDeletion("ns/a", "u1");
    store.delete("ns/a");
    expect(writes.size).toBe(0);
  });

  it("ignores a late response with an older version", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 9));
    writes.wrote(thing("a", 7), 6n);
    writes.wrote(thing("gone", 7), 9n);
    expect([writes.get("ns/a")?.value, writes.get("ns/gone"), writes.size]).toEqual(["v9", undefined, 0]);
  });

  it("drops a write when the informer has seen its version, even from another object", () => {
    const { writes } = setUp();
    writes.wrote(thing("outside of the selector", 7), 5n);
    writes.wrote(thing("later", 9), 5n);
    writes.seen(8n);
    expect([writes.get("ns/outside of the selector"), writes.get("ns/later")?.value]).toEqual([undefined, "v9"]);
  });

  it("compares versions as integers, not as text", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 99));
    writes.wrote(thing("a", 100), 99n);
    expect(writes.get("ns/a")?.value).toBe("v100");
  });

  it("drops the deletion of an object that the informer never sees", () => {
    const { store, writes, pass } = setUp();
    writes.removed("ns/a", "u1");
    pass(80_000);
    store.set(thing("a", 5));
    expect(writes.get("ns/a")?.value).toBe("v5");
    expect(writes.size).toBe(0);
  });

  it("hides an object that left the selector, and shows it again after it came back", () => {
    const { store, writes } = setUp();
    store.set(thing("a", 5));
    writes.wrote(thing("a", 6), 5n);
    writes.left("ns/a", "u1", "7");
    expect([writes.get("ns/a"), writes.overlay(store.values(), all)]).toEqual([undefined, []]);
    writes.wrote(thing("a", 6), 5n);
    expect(writes.get("ns/a")).toBeUndefined();
    writes.wrote(thing("a", 8), 5n);
    expect(values(writes.overlay(store.values(), all))).toEqual(["v8"]);
    writes.left("ns/a", "u1", "9");
    store.delete("ns/a");
    writes.seen(9n);
    expect(writes.size).toBe(0);
  });

  it("is empty after deletions whose events arrived before their responses", () => {
    const { store, writes, pass } = setUp();
    for (let i = 0; i < 1000; i++) {
      store.set(thing(`t${i}`, i, `u${i}`));
      store.delete(`ns/t${i}`);
      writes.sawDeletion(`ns/t${i}`, `u${i}`);
      writes.removed(`ns/t${i}`, `u${i}`);
    }
    pass(76_000);
    expect(writes.size).toBe(0);
  });

  it("drops writes with versions that the server has lost", () => {
    const { store, writes, pass } = setUp();
    store.set(thing("a", 5));
    writes.wrote(thing("a", 900), 5n);
    writes.seen(6n);
    expect(writes.get("ns/a")?.value).toBe("v900");
    pass(76_000);
    writes.seen(7n);
    expect([writes.get("ns/a")?.value, writes.size]).toEqual(["v5", 0]);
  });

  it("compares only as many objects per list as there are own writes", () => {
    const { store, writes } = setUp();
    for (let i = 0; i < 20_000; i++) store.set(thing(`t${i}`, i));
    let compared = 0;
    const matches = () => {
      compared++;
      return true;
    };
    writes.removed("ns/gone", "u-gone");
    writes.wrote(thing("t7", 30_000), 20_000n);
    const list = writes.overlay(store.values(), matches);
    expect([list.length, list[7]?.value, compared]).toEqual([20_000, "v30000", 1]);
  });
});
