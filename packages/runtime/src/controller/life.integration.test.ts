import { describe, expect, it } from "vitest";
import { sleep } from "../clock/clock.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source } from "../source/source.ts";
import { request, setUp } from "./controller.fixture.ts";

/** A source that never syncs, and fails with the reason when it is stopped. */
function neverInSync(name: string, reason: string): Source {
  return {
    name,
    start: async () => {},
    waitForSync: (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error(reason)))),
  };
}

describe("the life cycle of a controller", () => {
  it("C1: starts with all sources, and reconciles only after all of them have synced", async () => {
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

  it("C3: fails with the reason if a source doesn't sync in time", async () => {
    const never = neverInSync("kind source: Game", "games is forbidden");
    const t = setUp({ reconcile: async () => {}, sources: [never], settings: { cacheSyncTimeout: 500 } });
    const done = t.begin();
    await t.clock.advance(500);
    await expect(done).rejects.toThrow(/controller test.*games is forbidden/);
  });

  it("C3: ends without an error if it is stopped during the sync", async () => {
    const never = neverInSync("never", "stopped");
    const t = setUp({ reconcile: async () => {}, sources: [never] });
    const done = t.begin();
    await t.clock.advance(0);
    t.stop.abort();
    await expect(done).resolves.toBeUndefined();
  });

  it("C4: fails after the timeout if the start of a source blocks", async () => {
    const blocked: Source = { name: "blocked", start: () => new Promise(() => {}) };
    const t = setUp({ reconcile: async () => {}, sources: [blocked], settings: { cacheSyncTimeout: 500 } });
    const done = t.begin();
    await t.clock.advance(500);
    await expect(done).rejects.toThrow("blocked did not start within 500 ms");
  });

  it("C5: starts once, and starts a watch that is added later without waiting for its sync", async () => {
    const t = setUp({ reconcile: async () => {} });
    void t.begin();
    await t.clock.advance(0);
    await expect(t.controller.start(t.stop.signal)).rejects.toThrow("was already started");
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

  it("C7: ends after running reconciles, whose signal is aborted, and starts no further reconcile", async () => {
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

  it("uses the defaults for settings that aren't above zero", async () => {
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

  it("runs the configured number of reconciles at the same time, but only one per object", async () => {
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

  it("starts no reconcile while the lease may be lost", async () => {
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
