import { describe, expect, it, vi } from "vitest";
import { sleep } from "../clock/clock.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import type { Queue } from "../queue/queue.ts";
import type { Request } from "../request.ts";
import type { Source } from "../source/source.ts";
import { Controller, type ControllerSettings } from "./controller.ts";
import { type ControllerMetrics, noControllerMetrics } from "./metrics.ts";
import type { Reconciler } from "./reconciler.ts";
import { TerminalError } from "./terminal-error.ts";

const request = { namespace: "default", name: "a" };

interface Setup {
  reconcile: Reconciler["reconcile"];
  settings?: Partial<ControllerSettings>;
  sources?: Source[];
}

/** A controller on a virtual clock, with all that it tells. */
function setUp({ reconcile, settings, sources = [] }: Setup) {
  const clock = new VirtualClock();
  const counts: Record<string, number> = {};
  const count = (name: string) => () => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const metrics: ControllerMetrics = {
    ...noControllerMetrics,
    reconciled: (result) => count(result)(),
    failed: count("errors"),
    failedTerminally: count("terminal"),
    panicked: count("panics"),
    timedOut: count("timeouts"),
  };
  const errors: { error: unknown; message: string; fields: object }[] = [];
  const logWith = (fields: object): Logger => ({
    ...silentLogger,
    error: (error, message) => void errors.push({ error, message, fields }),
    with: (more) => logWith({ ...fields, ...more }),
  });
  let queue: Queue<Request> | undefined;
  const feed: Source = {
    name: "feed",
    start: async (ctx) => {
      queue = ctx.queue;
    },
  };
  const controller = new Controller({
    name: "test",
    reconciler: { reconcile },
    log: logWith({}),
    clock,
    metrics,
    ...settings,
  });
  const stop = new AbortController();
  async function run(): Promise<void> {
    for (const source of [feed, ...sources]) await controller.watch(source);
    await controller.start(stop.signal);
  }
  const begin = () => {
    const done = run();
    done.catch(() => {});
    return done;
  };
  return {
    clock,
    counts,
    errors,
    controller,
    stop,
    begin,
    add: (item = request, priority?: number) => queue!.add(item, { priority }),
    queue: () => queue!,
  };
}

describe("what comes of a reconcile", () => {
  it("R1: an error is retried later and later, keeps its priority and is logged once with its id", async () => {
    const seen: { at: number; reasons: string[] }[] = [];
    const t = setUp({
      reconcile: async (ctx) => {
        seen.push({ at: t.clock.now(), reasons: ctx.reasons.map(({ type }) => type) });
        throw new Error("not yet");
      },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add(request, 7);
    await t.clock.advance(36);
    expect(seen).toEqual([
      { at: 0, reasons: [] },
      { at: 5, reasons: ["retry"] },
      { at: 15, reasons: ["retry"] },
      { at: 35, reasons: ["retry"] },
    ]);
    expect(t.counts).toEqual({ errors: 4, error: 4 });
    expect(t.errors).toHaveLength(4);
    expect(t.errors[0]).toMatchObject({ message: "Reconciler error", fields: { namespace: "default", name: "a" } });
    expect((t.errors[0]?.fields as { reconcileID: string } | undefined)?.reconcileID).toMatch(/^[0-9a-f-]{36}$/);
    expect(t.queue().numRequeues(request)).toBe(4);
    t.stop.abort();
  });

  it("R2: a terminal error isn't retried, wherever in the chain of causes, and doesn't clear the failures", async () => {
    let attempts = 0;
    const t = setUp({
      reconcile: async () => {
        attempts++;
        if (attempts === 1) throw new Error("try again");
        throw new Error("sync failed", { cause: new TerminalError("spec.image is wrong") });
      },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(2_000_000);
    expect(attempts).toBe(2);
    expect(t.counts).toEqual({ errors: 2, error: 2, terminal: 1 });
    expect(t.queue().numRequeues(request)).toBe(1);
    t.stop.abort();
  });

  it("R3: requeueAfter clears the failures and comes back after the delay", async () => {
    const at: number[] = [];
    const t = setUp({
      reconcile: async () => {
        at.push(t.clock.now());
        if (at.length === 1) throw new Error("once");
        return { requeueAfter: 1000, requeue: true };
      },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(2005);
    expect(at).toEqual([0, 5, 1005, 2005]);
    expect(t.counts).toEqual({ errors: 1, error: 1, requeue_after: 3 });
    expect(t.queue().numRequeues(request)).toBe(0);
    t.stop.abort();
  });

  it("R4: requeue backs off like an error, without being one", async () => {
    const at: number[] = [];
    const t = setUp({
      reconcile: async () => {
        at.push(t.clock.now());
        return { requeue: true };
      },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(35);
    expect(at).toEqual([0, 5, 15, 35]);
    expect(t.counts).toEqual({ requeue: 4 });
    expect(t.errors).toEqual([]);
    t.stop.abort();
  });

  it("R5: success clears the failures", async () => {
    let attempts = 0;
    const t = setUp({
      reconcile: async () => {
        if (++attempts === 1) throw new Error("once");
      },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(1000);
    expect(attempts).toBe(2);
    expect(t.queue().numRequeues(request)).toBe(0);
    expect(t.counts).toMatchObject({ success: 1 });
    t.stop.abort();
  });

  it("R6: what a bug throws becomes an error that is retried and counted", async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const thrown: unknown[] = [new TypeError("x is not a function"), "a string", undefined, { code: 7 }, 5n, circle];
    const t = setUp({
      reconcile: async () => {
        if (thrown.length > 0) throw thrown.shift();
      },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(1000);
    expect(t.counts).toEqual({ panics: 6, errors: 6, error: 6, success: 1 });
    expect(t.errors.map(({ error }) => (error as Error).message)).toEqual([
      "panic: x is not a function [recovered]",
      "panic: a string [recovered]",
      "panic: undefined [recovered]",
      'panic: {"code":7} [recovered]',
      "panic: 5 [recovered]",
      "panic: [object Object] [recovered]",
    ]);
    t.stop.abort();
  });

  it("R7: with recoverPanic false a bug ends the controller", async () => {
    const t = setUp({
      reconcile: async () => {
        throw new ReferenceError("y is not defined");
      },
      settings: { recoverPanic: false },
    });
    const done = t.begin();
    await t.clock.advance(0);
    t.add();
    await expect(done).rejects.toThrow("y is not defined");
    expect(t.counts).toMatchObject({ panics: 1 });
  });

  it("gives the retry the priority of the result, else that of the item", async () => {
    const t = setUp({ reconcile: async () => ({ requeueAfter: 10, priority: 5 }) });
    void t.begin();
    await t.clock.advance(0);
    const add = vi.spyOn(t.queue(), "add");
    t.add(request, 3);
    await t.clock.advance(0);
    expect(add).toHaveBeenLastCalledWith(request, expect.objectContaining({ after: 10, priority: 5 }));
    t.stop.abort();
  });

  it("aborts the signal of a reconcile over its time, and counts only that", async () => {
    let aborted = 0;
    const t = setUp({
      reconcile: (ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener("abort", () => {
            aborted++;
            resolve();
          });
        }),
      settings: { reconciliationTimeout: 100 },
    });
    const done = t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(100);
    expect([aborted, t.counts.timeouts]).toEqual([1, 1]);
    t.add();
    await t.clock.advance(10);
    t.stop.abort();
    await t.clock.advance(0);
    await done;
    expect([aborted, t.counts.timeouts]).toEqual([2, 1]);
  });
});

describe("the life of a controller", () => {
  it("C1: starts all sources first, and works only when each is in sync", async () => {
    const order: string[] = [];
    let sync = (): void => {};
    const slow: Source = {
      name: "slow",
      start: async ({ queue }) => {
        order.push("slow started");
        queue.add(request);
      },
      waitForSync: () =>
        new Promise((resolve) => {
          sync = resolve;
        }),
    };
    const t = setUp({
      reconcile: async () => void order.push("reconcile"),
      sources: [slow],
    });
    void t.begin();
    await t.clock.advance(1000);
    expect(order).toEqual(["slow started"]);
    sync();
    await t.clock.advance(0);
    expect(order).toEqual(["slow started", "reconcile"]);
    t.stop.abort();
  });

  it("C3: fails with the reason when a source isn't in sync in time", async () => {
    const never: Source = {
      name: "kind source: Game",
      start: async () => {},
      waitForSync: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("games is forbidden")))),
    };
    const t = setUp({ reconcile: async () => {}, sources: [never], settings: { cacheSyncTimeout: 500 } });
    const done = t.begin();
    await t.clock.advance(500);
    await expect(done).rejects.toThrow(/controller test.*games is forbidden/);
  });

  it("C3: a stop during the sync is no error", async () => {
    const never: Source = {
      name: "never",
      start: async () => {},
      waitForSync: (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
    };
    const t = setUp({ reconcile: async () => {}, sources: [never] });
    const done = t.begin();
    await t.clock.advance(0);
    t.stop.abort();
    await expect(done).resolves.toBeUndefined();
  });

  it("C4: a source whose start blocks is an error after the timeout", async () => {
    const blocked: Source = { name: "blocked", start: () => new Promise(() => {}) };
    const t = setUp({ reconcile: async () => {}, sources: [blocked], settings: { cacheSyncTimeout: 500 } });
    const done = t.begin();
    await t.clock.advance(500);
    await expect(done).rejects.toThrow("blocked did not start within 500 ms");
  });

  it("C5: starts once; a watch added later starts at once, without waiting for its sync", async () => {
    const t = setUp({ reconcile: async () => {} });
    void t.begin();
    await t.clock.advance(0);
    await expect(t.controller.start(t.stop.signal)).rejects.toThrow("was started already");
    let started = false;
    await t.controller.watch({
      name: "late",
      start: async () => {
        started = true;
      },
      waitForSync: () => new Promise(() => {}),
    });
    expect(started).toBe(true);
    t.stop.abort();
  });

  it("C7: at the end waits for running reconciles, whose signal is aborted, and starts no more", async () => {
    let finish = (): void => {};
    let aborted = false;
    let runs = 0;
    const t = setUp({
      reconcile: (ctx) => {
        runs++;
        ctx.signal.addEventListener("abort", () => {
          aborted = true;
        });
        return new Promise((resolve) => {
          finish = () => resolve();
        });
      },
    });
    const done = t.begin();
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(0);
    t.add({ namespace: "default", name: "b" });
    t.stop.abort();
    await t.clock.advance(0);
    expect([aborted, ended]).toEqual([true, false]);
    finish();
    await t.clock.advance(0);
    expect([ended, runs]).toEqual([true, 1]);
  });

  it("takes settings that aren't above zero for none", async () => {
    const requests: Request[] = [];
    const t = setUp({
      reconcile: async (ctx, request) => {
        await sleep(t.clock, 10, ctx.signal);
        if (!ctx.signal.aborted) requests.push(request);
      },
      settings: { maxConcurrentReconciles: 0, cacheSyncTimeout: 0, reconciliationTimeout: -1, recoverPanic: undefined },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(20);
    expect(requests).toEqual([request]);
    t.stop.abort();
  });

  it("reconciles as many objects at a time as it is told, and no object twice at a time", async () => {
    const running = new Set<string>();
    let most = 0;
    const t = setUp({
      reconcile: async (_ctx, { name }) => {
        expect(running.has(name)).toBe(false);
        running.add(name);
        most = Math.max(most, running.size);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(name);
      },
      settings: { maxConcurrentReconciles: 3 },
    });
    void t.begin();
    await t.clock.advance(0);
    for (let i = 0; i < 50; i++) t.add({ namespace: "default", name: `${i % 10}` });
    await t.clock.advance(100);
    expect(most).toBe(3);
    expect(t.errors).toEqual([]);
    t.stop.abort();
  });

  it("begins nothing while the lease may be lost", async () => {
    let may = false;
    let runs = 0;
    const t = setUp({
      reconcile: async () => void runs++,
      settings: { mayReconcile: () => may },
    });
    void t.begin();
    await t.clock.advance(0);
    t.add();
    await t.clock.advance(1000);
    expect(runs).toBe(0);
    may = true;
    await t.clock.advance(100);
    expect(runs).toBe(1);
    t.stop.abort();
  });
});
