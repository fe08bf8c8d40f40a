import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { aborted, interruptible, linkSignals } from "./abort.ts";

it("linkSignals aborts with the reason of its first aborted source, and stops listening to the others", () => {
  const [first, two] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals(first.signal, two.signal);
  two.abort("enough");
  expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  expect(getEventListeners(first.signal, "abort")).toEqual([]);
});

it("linkSignals returns an aborted signal if a source is aborted", () => {
  const open = new AbortController();
  const { signal } = linkSignals(open.signal, AbortSignal.abort("before"));
  expect([signal.aborted, signal.reason]).toEqual([true, "before"]);
  expect(getEventListeners(open.signal, "abort")).toEqual([]);
});

it("linkSignals leaves no listener or memory on a source that outlives it", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const manager = new AbortController();
  const heapAfter = (rounds: number): number => {
    for (let round = 0; round < rounds; round++) {
      const { signal, release } = linkSignals(manager.signal, new AbortController().signal);
      signal.addEventListener("abort", () => {}, { once: true });
      release();
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfter(1_000);
  // With AbortSignal.any, the heap grows by more than 20 MB here.
  expect(heapAfter(20_000) - before).toBeLessThan(5_000_000);
  expect(getEventListeners(manager.signal, "abort")).toEqual([]);
});

describe("an interruptible generator", () => {
  /** Yields 1, then waits for the signal. */
  async function* quiet(signal: AbortSignal): AsyncGenerator<number, void, undefined> {
    yield 1;
    await aborted(signal);
  }

  it("ends immediately when its consumer stops during a wait", async () => {
    const outer = new AbortController();
    const iterator = interruptible(outer.signal, quiet);
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    const pending = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(getEventListeners(outer.signal, "abort")).toEqual([]);
  });

  it("ends with the outer signal, and listens to it only while it runs", async () => {
    const outer = new AbortController();
    const iterator = interruptible(outer.signal, quiet);
    expect(getEventListeners(outer.signal, "abort")).toEqual([]);
    await iterator.next();
    const pending = iterator.next();
    outer.abort();
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});
