import { describe, expect, it } from "vitest";
import { TestClock } from "../controllers/workloads/workloads.fixture.ts";
import type { Engine } from "../registry/scope.ts";
import { WorkQueue } from "./work-queue.ts";

function setup(work: (key: string) => Promise<void>) {
  const clock = new TestClock();
  const engine = {
    elapsed: () => clock.now(),
    after: (milliseconds: number, call: () => void) => {
      const timer = clock.setTimeout(call, milliseconds);
      return () => clock.clearTimeout(timer);
    },
    stopping: new AbortController().signal,
  } as Engine;
  return { clock, queue: new WorkQueue(engine, work) };
}

describe("WorkQueue", () => {
  it("runs each key once, however often it was added", async () => {
    const seen: string[] = [];
    const { clock, queue } = setup(async (key) => void seen.push(key));
    for (const key of ["a", "b", "a"]) queue.add(key);
    await clock.advance(0);
    expect(seen).toEqual(["a", "b"]);
  });

  it("runs a delayed key at its earliest time", async () => {
    const seen: number[] = [];
    const { clock, queue } = setup(async () => void seen.push(clock.now()));
    const start = clock.now();
    queue.addAfter("a", 5000);
    queue.addAfter("a", 2000);
    queue.addAfter("a", 9000);
    await clock.advance(20_000);
    expect(seen).toEqual([start + 2000]);
    expect(clock.pending).toBe(0);
  });

  it("repeats a failure after growing delays, until it succeeds", async () => {
    const seen: number[] = [];
    const { clock, queue } = setup(async () => {
      seen.push(clock.now() - start);
      if (seen.length < 4) throw new Error("not yet");
    });
    const start = clock.now();
    queue.add("a");
    await clock.advance(60_000);
    expect(seen).toEqual([0, 1000, 3000, 7000]);
  });

  it("lets the server work between many keys", async () => {
    const seen: string[] = [];
    const { clock, queue } = setup(async (key) => {
      seen.push(key);
      // A controller whose objects add each other again.
      queue.add(key === "a" ? "b" : "a");
    });
    queue.add("a");
    let answered = 0;
    clock.setTimeout(() => {
      answered = seen.length;
      queue.forget("a");
      queue.forget("b");
    }, 0);
    await clock.advance(1);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(1000);
  });

  it("removes waiting and delayed keys", async () => {
    const seen: string[] = [];
    const { clock, queue } = setup(async (key) => void seen.push(key));
    queue.addAfter("a", 1000);
    queue.add("b");
    queue.forget("a");
    queue.forget("b");
    await clock.advance(5000);
    expect(seen).toEqual([]);
  });
});
