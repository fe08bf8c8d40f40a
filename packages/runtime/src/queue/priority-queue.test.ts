import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { lowPriority } from "../handler/event-handler.ts";
import { noQueueMetrics, type QueueMetrics } from "./metrics.ts";
import { PriorityQueue } from "./priority-queue.ts";

function newQueue(metrics: Partial<QueueMetrics> = {}) {
  const clock = new VirtualClock();
  const queue = new PriorityQueue<string>({ keyOf: String, clock, metrics: { ...noQueueMetrics, ...metrics } });
  return { clock, queue };
}

/** Processes the ready items without waiting for more, and marks each as done. */
async function drain(queue: PriorityQueue<string>): Promise<string[]> {
  const items: string[] = [];
  while (queue.length > 0) {
    const next = await queue.get();
    if (!next) break;
    items.push(next.item);
    queue.done(next.item);
  }
  return items;
}

/** Returns whether a `get` is still pending. */
async function isWaiting(get: Promise<unknown>): Promise<boolean> {
  const pending = Symbol("pending");
  const settled = await Promise.race([get, new Promise((resolve) => setImmediate(() => resolve(pending)))]);
  return settled === pending;
}

describe("PriorityQueue", () => {
  it("Q1: doesn't return an item in progress, and returns it once more if it was added again", async () => {
    const { queue } = newQueue();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("a");
    const second = queue.get();
    expect(await isWaiting(second)).toBe(true);
    queue.done("a");
    expect(await second).toMatchObject({ item: "a" });
    queue.done("a");
    expect(await isWaiting(queue.get())).toBe(true);
  });

  it("Q2: combines several adds of an item", async () => {
    const { queue } = newQueue();
    for (let i = 0; i < 10; i++) queue.add("a");
    expect(queue.length).toBe(1);
    expect(await drain(queue)).toEqual(["a"]);
  });

  it("Q3: returns an item that was added during its processing once, after done and earlier items", async () => {
    const { queue } = newQueue();
    queue.add("a");
    await queue.get();
    queue.add("b");
    queue.add("a");
    queue.add("a");
    expect((await queue.get())?.item).toBe("b");
    const next = queue.get();
    expect(await isWaiting(next)).toBe(true);
    queue.done("b");
    expect(await isWaiting(next)).toBe(true);
    queue.done("a");
    expect((await next)?.item).toBe("a");
    queue.done("a");
    expect(await drain(queue)).toEqual([]);
  });

  it("Q4: keeps the highest priority and the earliest time of a repeated add", async () => {
    const { queue, clock } = newQueue();
    queue.add("a", { after: 5000, priority: 3 });
    queue.add("a", { after: 1000, priority: 1 });
    queue.add("a", { after: 9000 });
    await clock.advance(999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(await queue.get()).toMatchObject({ item: "a", priority: 3 });
    queue.done("a");
    await clock.advance(20_000);
    expect(queue.length).toBe(0);
  });

  it("Q4: makes a delayed item ready after an immediate add, and clears its timer", async () => {
    const { queue, clock } = newQueue();
    queue.add("a", { after: 5000 });
    queue.add("a");
    expect(await drain(queue)).toEqual(["a"]);
    await clock.advance(10_000);
    expect(queue.length).toBe(0);
  });

  it("Q5: moves a raised item to the end of its new priority, and doesn't lower a priority", async () => {
    const { queue } = newQueue();
    queue.add("low");
    queue.add("first", { priority: 1 });
    queue.add("second", { priority: 1 });
    queue.add("low", { priority: 1 });
    queue.add("first", { priority: 0 });
    expect(await drain(queue)).toEqual(["first", "second", "low"]);
  });

  it("Q5: orders delayed items by the time at which they become ready", async () => {
    const { queue, clock } = newQueue();
    queue.add("early", { after: 10 });
    await clock.advance(5);
    queue.add("now");
    await clock.advance(5);
    queue.add("later");
    expect(await drain(queue)).toEqual(["now", "early", "later"]);
  });

  it("Q6: orders by priority, then by age, and skips items in progress", async () => {
    const { queue } = newQueue();
    queue.add("a");
    queue.add("b", { priority: 10 });
    queue.add("c", { priority: lowPriority });
    queue.add("d", { priority: 10 });
    expect(await queue.get()).toMatchObject({ item: "b", priority: 10 });
    queue.add("b", { priority: 10 });
    expect(await queue.get()).toMatchObject({ item: "d" });
    expect(await queue.get()).toMatchObject({ item: "a" });
    queue.done("b");
    expect(await queue.get()).toMatchObject({ item: "b" });
    expect(await queue.get()).toMatchObject({ item: "c", priority: lowPriority });
  });

  it("returns a low-priority item after ten seconds, although new changes arrive", async () => {
    const { queue, clock } = newQueue();
    queue.add("listed", { priority: lowPriority });
    const handedOut: string[] = [];
    for (let second = 0; second <= 10 && !handedOut.includes("listed"); second++) {
      queue.add(`change ${second}`);
      const next = await queue.get();
      handedOut.push(next?.item ?? "");
      queue.done(next?.item ?? "");
      await clock.advance(1000);
    }
    expect(handedOut[0]).toBe("change 0");
    expect(handedOut.at(-1)).toBe("listed");
    expect(handedOut).toHaveLength(11);
  });

  it("returns an item that has waited ten seconds before items of any priority", async () => {
    const { queue, clock } = newQueue();
    queue.add("patient", { priority: lowPriority });
    await clock.advance(9_999);
    queue.add("urgent", { priority: 1_000_000 });
    expect(await queue.get()).toMatchObject({ item: "urgent" });
    await clock.advance(1);
    queue.add("urgent too", { priority: 1_000_000 });
    expect(await queue.get()).toMatchObject({ item: "patient" });
  });

  it("measures the age of items from resetAges", async () => {
    const { queue, clock } = newQueue();
    queue.add("listed", { priority: lowPriority });
    queue.add("second", { priority: lowPriority });
    queue.add("delayed", { after: 3_600_000 });
    await clock.advance(3_599_000);
    queue.resetAges();
    await clock.advance(1000);
    queue.add("changed");
    expect(await drain(queue)).toEqual(["delayed", "changed", "listed", "second"]);
  });

  it("Q7: counts ready items in its length, and delayed ones separately", async () => {
    const depths = new Map<number, number>();
    const { queue, clock } = newQueue({ depth: (p, delta) => void depths.set(p, (depths.get(p) ?? 0) + delta) });
    queue.add("a");
    queue.add("b", { after: 100, priority: 5 });
    expect([queue.length, queue.delayed]).toEqual([1, 1]);
    expect([...depths]).toEqual([[0, 1]]);
    await clock.advance(100);
    expect([queue.length, queue.delayed]).toEqual([2, 0]);
    expect(depths.get(5)).toBe(1);
    await drain(queue);
    expect([...depths.values()]).toEqual([0, 0]);
  });

  it("Q8: doubles the delay after each failure, from 5 ms to 1000 s, until forget", async () => {
    const { queue, clock } = newQueue();
    for (const wait of [5, 10, 20, 40]) {
      queue.add("a", { rateLimited: true });
      await clock.advance(wait - 1);
      expect(queue.length).toBe(0);
      await clock.advance(1);
      expect(await drain(queue)).toEqual(["a"]);
    }
    expect(queue.numRequeues("a")).toBe(4);
    for (let i = 0; i < 40; i++) {
      queue.add("b", { rateLimited: true });
      await clock.advance(1_000_000);
      expect(await drain(queue)).toEqual(["b"]);
    }
    queue.forget("a");
    queue.add("a", { rateLimited: true });
    await clock.advance(5);
    expect(await drain(queue)).toEqual(["a"]);
  });

  it("Q9: uses the smaller of back-off and delay", async () => {
    const { queue, clock } = newQueue();
    queue.add("a", { rateLimited: true, after: 2 });
    queue.add("b", { rateLimited: true, after: 2000 });
    await clock.advance(2);
    expect(await drain(queue)).toEqual(["a"]);
    await clock.advance(3);
    expect(await drain(queue)).toEqual(["b"]);
  });

  it("Q10: ignores a delay of zero or less, and counts any other delay as a retry", async () => {
    let retries = 0;
    const { queue } = newQueue({ retry: () => void retries++ });
    queue.add("a", { after: 0 });
    queue.add("b", { after: -5 });
    expect(retries).toBe(0);
    expect(await drain(queue)).toEqual(["a", "b"]);
    queue.add("c", { after: 1 });
    queue.add("d", { rateLimited: true });
    expect(retries).toBe(2);
  });

  it("Q11: drops its items on shutdown, and ends pending calls of get", async () => {
    const { queue, clock } = newQueue();
    const waiting = queue.get();
    queue.add("taken");
    await waiting;
    queue.add("a");
    queue.add("b", { after: 10 });
    const later = queue.get().then(() => queue.get());
    queue.shutDown();
    expect(await later).toBeUndefined();
    expect(await queue.get()).toBeUndefined();
    queue.add("c");
    expect(queue.length).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("Q12: done releases an item only if it is in progress", async () => {
    const { queue } = newQueue();
    queue.done("never seen");
    queue.add("a");
    queue.done("a");
    expect(await drain(queue)).toEqual(["a"]);
    queue.add("a");
    expect(await drain(queue)).toEqual(["a"]);
  });

  it("collects the reasons of an item without duplicates", async () => {
    const { queue } = newQueue();
    queue.add("a", { reason: { type: "create", kind: "Game", name: "x" } });
    queue.add("a", { reason: { type: "update", kind: "Pod", name: "y" } });
    queue.add("a", { reason: { type: "update", kind: "Pod", name: "y" } });
    const next = await queue.get();
    expect(next?.reasons).toEqual([
      { type: "create", kind: "Game", name: "x" },
      { type: "update", kind: "Pod", name: "y" },
    ]);
    queue.done("a");
    queue.add("a", { reason: { type: "requeue" } });
    expect((await queue.get())?.reasons).toEqual([{ type: "requeue" }]);
  });

  it("returns each of many items once under load, and never to two workers at a time", async () => {
    const { queue } = newQueue();
    const working = new Set<string>();
    const seen = new Map<string, number>();
    let random = 1;
    const next = (n: number) => {
      random = (random * 1103515245 + 12345) % 2147483648;
      return random % n;
    };
    for (let i = 0; i < 2000; i++) queue.add(`item ${next(500)}`, { priority: next(5) * 10 });
    const worker = async () => {
      while (queue.length > 0) {
        const got = await queue.get();
        if (!got) return;
        expect(working.has(got.item)).toBe(false);
        working.add(got.item);
        seen.set(got.item, (seen.get(got.item) ?? 0) + 1);
        await new Promise((resolve) => setImmediate(resolve));
        if (seen.get(got.item) === 1 && next(3) === 0) queue.add(got.item, { priority: next(5) * 10 });
        working.delete(got.item);
        queue.done(got.item);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(queue.length).toBe(0);
    expect(Math.max(...seen.values())).toBe(2);
  });

  it("needs memory per key, and not per add of a key", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { clock, queue } = newQueue();
    queue.add("quiet", { after: 1_000_000 });
    const heapAfter = async (rounds: number): Promise<number> => {
      for (let round = 0; round < rounds; round++) {
        queue.add("busy", { after: 2_000_000 });
        queue.add("busy");
        queue.done((await queue.get())?.item as string);
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(1_000);
    const after = await heapAfter(100_000);
    expect(clock.now()).toBe(0);
    expect(after - before).toBeLessThan(5_000_000);
  });
});
