import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Collection } from "./collection.ts";
import { Journal } from "./journal.ts";
import { Store } from "./store.ts";

let now = 0;
const text = (value: string) => (revision: number) => JSON.stringify({ value, revision });

function keysOf(collection: Collection): string[] {
  return collection.list("").map(({ key }) => key);
}

function open(limits = {}, journal?: Journal) {
  const store = new Store({ now: () => now, limits, ...(journal ? { journal } : {}) });
  return { store, pods: store.collection("pods") };
}

describe("revisions", () => {
  test("all collections share one counter", () => {
    const { store, pods } = open();
    const first = store.put(pods, "a/x", text("1")).revision;
    expect(store.put(store.collection("nodes"), "n", text("2")).revision).toBe(first + 1);
    expect(store.revision).toBe(first + 1);
  });

  test("the text of an object is created with the revision of its write", () => {
    const { store, pods } = open();
    const { revision, text: stored } = store.put(pods, "a/x", text("1"));
    expect(JSON.parse(stored)).toEqual({ value: "1", revision });
  });

  test("a write that fails while its text is created changes nothing", () => {
    const { store, pods } = open();
    const before = store.revision;
    const fail = (): string => {
      throw new Error("no text");
    };
    expect(() => store.put(pods, "a/x", fail)).toThrow("no text");
    expect(store.revision).toBe(before);
    expect(pods.get("a/x")).toBeUndefined();
  });
});

describe("lists", () => {
  test("return the objects under a prefix in the order of their keys", () => {
    const { store, pods } = open();
    for (const key of ["b/x", "a/z", "a-b/x", "a/b", "c/x"]) store.put(pods, key, text(key));
    expect(pods.list("").map(({ key }) => key)).toEqual(["a-b/x", "a/b", "a/z", "b/x", "c/x"]);
    expect(pods.list("a/").map(({ key }) => key)).toEqual(["a/b", "a/z"]);
    expect(pods.list("d/")).toEqual([]);
  });

  test("of a past revision contain the objects of that revision", () => {
    const { store, pods } = open();
    store.put(pods, "a/x", text("1"));
    const then = store.put(pods, "a/y", text("1")).revision;
    store.put(pods, "a/x", text("2"));
    store.delete(pods, "a/y", text("gone"));
    store.put(pods, "a/z", text("1"));
    const values = pods.listAt("a/", then).map((entry) => [entry.key, JSON.parse(entry.text).value]);
    expect(values).toEqual([
      ["a/x", "1"],
      ["a/y", "1"],
    ]);
  });

  test("are in order after random writes and deletions", () => {
    const { store, pods } = open();
    const expected = new Set<string>();
    let seed = 7;
    const random = (limit: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    for (let i = 0; i < 3000; i++) {
      const key = `n${random(5)}/o${random(100)}`;
      if (random(3) === 0 && expected.delete(key)) store.delete(pods, key, text("gone"));
      else if (expected.add(key)) store.put(pods, key, text(String(i)));
    }
    expect(keysOf(pods)).toEqual([...expected].sort());
    expect(pods.size).toBe(expected.size);
    expect(pods.list("").every((entry) => entry === pods.get(entry.key))).toBe(true);
  });
});

describe("changes", () => {
  test("after a revision are returned in order, with the previous state", () => {
    const { store, pods } = open();
    const from = store.put(pods, "a/x", text("1")).revision;
    store.put(pods, "a/x", text("2"));
    store.delete(pods, "a/x", text("3"));
    const changes = pods.changesSince(from);
    expect(changes.map(({ revision, deleted }) => [revision, deleted])).toEqual([
      [from + 1, false],
      [from + 2, true],
    ]);
    expect(changes.map(({ previous }) => previous && JSON.parse(previous.text).value)).toEqual(["1", "2"]);
  });

  test("beyond the maximum number are dropped", () => {
    const { store, pods } = open({ changes: 10 });
    for (let i = 0; i < 100; i++) store.put(pods, "a/x", text(String(i)));
    const { length } = pods.changesSince(0);
    expect(length).toBeGreaterThanOrEqual(10);
    expect(length).toBeLessThanOrEqual(15);
    expect(pods.compacted).toBe(store.revision - length);
  });

  test("beyond the maximum age are dropped", () => {
    now = 0;
    const { store, pods } = open({ age: 1000 });
    store.put(pods, "a/x", text("1"));
    const old = store.revision;
    now = 10_000;
    store.put(pods, "a/x", text("2"));
    expect(pods.compacted).toBe(old);
    expect(pods.changesSince(0)).toHaveLength(1);
  });

  test("call listeners until these unsubscribe", () => {
    const { store, pods } = open();
    let calls = 0;
    const leave = pods.onChange(() => calls++);
    store.put(pods, "a/x", text("1"));
    leave();
    store.put(pods, "a/x", text("2"));
    expect(calls).toBe(1);
  });
});

describe("follow", () => {
  const setUp = () => {
    const { store, pods } = open();
    const seen: unknown[] = [];
    const follow = (listener?: (key: string) => void) =>
      pods.follow((key, entry) => {
        seen.push([key, entry && JSON.parse(entry.text).value]);
        listener?.(key);
      });
    return { store, pods, seen, follow };
  };

  test("reports new changes until it ends", () => {
    const { store, pods, seen, follow } = setUp();
    store.put(pods, "a/x", text("1"));
    const leave = follow();
    store.put(pods, "a/x", text("2"));
    store.delete(pods, "a/x", text("gone"));
    leave();
    store.put(pods, "a/x", text("3"));
    expect(seen).toEqual([
      ["a/x", "2"],
      ["a/x", undefined],
    ]);
  });

  test("reports a return to a past state, and later writes with reused revisions", () => {
    const { store, pods, seen, follow } = setUp();
    store.put(pods, "a/x", text("1"));
    const then = store.put(pods, "a/y", text("1")).revision;
    store.delete(pods, "a/x", text("gone"));
    store.put(pods, "a/z", text("1"));
    follow();
    store.restore(then);
    store.put(pods, "a/y", text("2"));
    expect(seen.sort()).toEqual([
      ["a/x", "1"],
      ["a/y", "2"],
      ["a/z", undefined],
    ]);
  });

  test("reports each change once and in order to listeners that write", () => {
    const { store, pods, seen, follow } = setUp();
    follow((key) => {
      if (key === "a/x") store.put(pods, "a/y", text("1"));
    });
    follow();
    store.put(pods, "a/x", text("1"));
    expect(seen).toEqual([
      ["a/x", "1"],
      ["a/y", "1"],
      ["a/x", "1"],
      ["a/y", "1"],
    ]);
  });
});

describe("restore", () => {
  test("returns all collections to a past revision, and drops later changes", () => {
    const { store, pods } = open();
    const nodes = store.collection("nodes");
    store.put(pods, "a/x", text("1"));
    const then = store.put(nodes, "n", text("1")).revision;
    store.delete(pods, "a/x", text("gone"));
    store.put(nodes, "n", text("2"));
    store.put(nodes, "m", text("1"));
    store.restore(then);
    expect(store.revision).toBe(then);
    expect(keysOf(pods)).toEqual(["a/x"]);
    expect(nodes.list("").map((entry) => JSON.parse(entry.text).value)).toEqual(["1"]);
    expect(nodes.compacted).toBe(then);
  });

  test("can return to revisions that clients can no longer read", () => {
    const { store, pods } = open();
    const then = store.put(pods, "a/x", text("1")).revision;
    store.put(pods, "a/x", text("2"));
    pods.hide(store.revision);
    store.put(pods, "a/x", text("3"));
    store.restore(store.revision - 1);
    store.restore(then);
    expect(pods.list("").map((entry) => JSON.parse(entry.text).value)).toEqual(["1"]);
  });

  test("calls listeners after all collections have the past state", () => {
    const { store, pods } = open();
    const nodes = store.collection("nodes");
    const then = store.revision;
    store.put(nodes, "n", text("1"));
    store.put(pods, "a/x", text("1"));
    const seen: unknown[] = [];
    store.onRestore(() => seen.push(["restored", nodes.size, pods.size, store.revision]));
    nodes.onChange(() => seen.push(["nodes", nodes.size, pods.size, store.revision]));
    pods.onChange(() => seen.push(["pods", nodes.size, pods.size, store.revision]));
    store.restore(then);
    expect(seen).toEqual(["restored", "pods", "nodes"].map((name) => [name, 0, 0, then]));
  });

  test("rejects revisions outside of the history", () => {
    const { store, pods } = open({ changes: 2 });
    for (let i = 0; i < 20; i++) store.put(pods, "a/x", text(String(i)));
    expect(() => store.restore(1)).toThrow(/restore 1: must be between \d+ and 21/);
    expect(() => store.restore(22)).toThrow(RangeError);
  });
});

describe("a journal", () => {
  let directory = "";
  let path = "";
  const warnings: string[] = [];
  let last: Journal | undefined;
  /** Opens the journal as a new process does after the previous one has ended. */
  const journal = (): Journal => {
    last?.close();
    last = new Journal(path, (message) => warnings.push(message));
    return last;
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "kubewright-journal-"));
    path = join(directory, "data");
    warnings.length = 0;
  });
  afterEach(() => {
    last?.close();
    last = undefined;
    rmSync(directory, { recursive: true });
  });

  test("keeps objects, deletions and the revision over a restart", () => {
    const { store, pods } = open({}, journal());
    store.put(pods, "a/x", text("1"));
    store.put(pods, "a/y", text("1"));
    store.delete(pods, "a/x", text("gone"));
    const { revision } = store;
    const next = open({}, journal());
    expect(next.store.revision).toBe(revision);
    expect(next.pods.list("").map((entry) => [entry.key, entry.revision])).toEqual([["a/y", revision - 1]]);
    expect(next.store.put(next.pods, "a/z", text("1")).revision).toBe(revision + 1);
  });

  test("can't be read by other users", () => {
    open({}, journal());
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("drops an incomplete last line with a warning, and continues after it", () => {
    const { store, pods } = open({}, journal());
    store.put(pods, "a/x", text("1"));
    appendFileSync(path, '{"collection":"pods","key":"a/y","rev');
    const next = open({}, journal());
    expect(warnings).toEqual([`${path}: the last line is incomplete and is removed`]);
    expect(keysOf(next.pods)).toEqual(["a/x"]);
    next.store.put(next.pods, "a/z", text("1"));
    expect(keysOf(open({}, journal()).pods)).toEqual(["a/x", "a/z"]);
  });

  test("reports the number of a line that isn't a record", () => {
    writeFileSync(path, '{"collection":"pods","key":"a","revision":2,"text":"{}"}\nnonsense\n');
    expect(() => open({}, journal())).toThrow(`${path}:2: isn't a record of the API server`);
  });

  test("is rewritten at the start when most of its lines are outdated", () => {
    const { store, pods } = open({}, journal());
    for (let i = 0; i < 2000; i++) store.put(pods, "a/x", text(String(i)));
    open({}, journal());
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
    expect(open({}, journal()).store.revision).toBe(store.revision);
  });

  test("that can't be written rejects the write without a change of the state", () => {
    const file = new Journal(path, () => {});
    const { store, pods } = open({}, file);
    store.put(pods, "a/x", text("1"));
    file.close();
    expect(() => store.put(pods, "a/x", text("2"))).toThrow();
    expect(JSON.parse(pods.get("a/x")?.text ?? "").value).toBe("1");
  });

  test("keeps the revision when it is rewritten after a deletion", () => {
    const { store, pods } = open({}, journal());
    for (let i = 0; i < 2000; i++) store.put(pods, "a/x", text(String(i)));
    store.delete(pods, "a/x", text("gone"));
    open({}, journal());
    expect(open({}, journal()).store.revision).toBe(store.revision);
  });

  test("contains no history, so changes before a restart can't be read", () => {
    const { store, pods } = open({}, journal());
    store.put(pods, "a/x", text("1"));
    store.put(store.collection("nodes"), "n", text("1"));
    const { revision } = store.delete(pods, "a/x", text("gone"));
    const next = open({}, journal()).store;
    for (const name of ["pods", "nodes", "others"]) expect(next.collection(name).compacted).toBe(revision);
  });

  const large = "x".repeat(1024 * 1024);

  test("is rewritten after it has grown, without losing writes of that time", () => {
    const { store, pods } = open({}, journal());
    for (let i = 0; i < 20; i++) store.put(pods, "a/x", text(`${large}${i}`));
    expect(statSync(path).size).toBeLessThan(10 * large.length);
    const next = open({}, journal());
    expect(next.store.revision).toBe(store.revision);
    expect(JSON.parse(next.pods.get("a/x")?.text ?? "").value).toBe(`${large}19`);
  });

  test("stays in use, with a warning, if the disk has no space to rewrite it", () => {
    const { store, pods } = open({}, journal());
    mkdirSync(`${path}.new`);
    for (let i = 0; i < 12; i++) store.put(pods, "a/x", text(`${large}${i}`));
    expect(warnings).toEqual([expect.stringMatching(/data: outdated lines can't be removed: /)]);
    rmSync(`${path}.new`, { recursive: true, force: true });
    expect(keysOf(open({}, journal()).pods)).toEqual(["a/x"]);
  });

  test("is written again after it was removed with its directory", () => {
    const directory = dirname(path);
    const { store, pods } = open({}, journal());
    store.put(pods, "a/x", text("1"));
    expect(store.saveAgain()).toBe(false);
    rmSync(directory, { recursive: true });
    store.put(pods, "a/y", text("2"));
    expect(store.saveAgain()).toBe(true);
    expect(store.saveAgain()).toBe(false);
    store.put(pods, "a/z", text("3"));
    expect(readdirSync(`${path}.lock`)).toEqual([expect.stringMatching(new RegExp(`^${process.pid}\\.`))]);
    const next = open({}, journal());
    expect([keysOf(next.pods), next.store.revision]).toEqual([["a/x", "a/y", "a/z"], store.revision]);
  });

  test("isn't written again while another server uses its path", () => {
    const { store, pods } = open({}, journal());
    rmSync(dirname(path), { recursive: true });
    mkdirSync(dirname(path));
    const other = new Journal(path, () => {});
    onTestFinished(() => other.close());
    rmSync(path);
    expect(() => store.saveAgain()).toThrow(`${path}: is in use by process ${process.pid}`);
    store.put(pods, "a/x", text("1"));
  });

  test("follows a return to a past revision", () => {
    const { store, pods } = open({}, journal());
    const then = store.put(pods, "a/x", text("1")).revision;
    store.put(pods, "a/y", text("1"));
    store.restore(then);
    expect(keysOf(open({}, journal()).pods)).toEqual(["a/x"]);
  });
});
