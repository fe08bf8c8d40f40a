import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { silentLogger } from "../log/logger.ts";
import type { Request } from "../reconcile/request.ts";
import type { Source, SourceContext } from "../source/source.ts";
import { Controller, type ControllerSettings } from "./controller.ts";

/** Creates a controller with one source that the test feeds, and functions that start its warm-up and its work. */
function setUp(settings: Partial<ControllerSettings> = {}, sync: () => Promise<void> = async () => {}) {
  const clock = new VirtualClock();
  const reconciled: string[] = [];
  let fed: SourceContext | undefined;
  let starts = 0;
  const source: Source = {
    name: "feed",
    start: async (ctx) => {
      starts++;
      fed = ctx;
    },
    waitForSync: sync,
  };
  const controller = new Controller({
    name: "test",
    reconciler: { reconcile: async (_ctx, { name }: Request) => void reconciled.push(name) },
    log: silentLogger,
    clock,
    enableWarmup: true,
    ...settings,
  });
  void controller.watch(source);
  const stopWarmup = new AbortController();
  const stop = new AbortController();
  const warmup = () => controller.warmup(stopWarmup.signal);
  const start = () => {
    const done = controller.start(stop.signal);
    done.catch(() => {});
    return done;
  };
  const add = (name: string, priority = 0) => fed?.queue.add({ namespace: "ns", name }, { priority });
  return { clock, reconciled, controller, warmup, start, stop, stopWarmup, add, fed: () => fed, starts: () => starts };
}

describe("the warm-up of a controller", () => {
  it("starts the sources and fills the queue, and reconciles nothing before the start", async () => {
    const t = setUp();
    await t.warmup();
    t.add("a");
    await t.clock.advance(60_000);
    expect([t.starts(), t.reconciled]).toEqual([1, []]);
    const done = t.start();
    await t.clock.advance(0);
    expect([t.starts(), t.reconciled]).toEqual([1, ["a"]]);
    t.stop.abort();
    await done;
  });

  it("does nothing without enableWarmup, and for controllers that run on every replica", async () => {
    for (const settings of [{ enableWarmup: false }, { enableWarmup: undefined }, { needLeaderElection: false }]) {
      const t = setUp(settings);
      await t.warmup();
      expect(t.starts()).toBe(0);
    }
  });

  it("doesn't increase the age of its items: new changes are reconciled before an initial list", async () => {
    const t = setUp();
    await t.warmup();
    t.add("listed", -100);
    await t.clock.advance(3_600_000);
    t.add("changed");
    const done = t.start();
    await t.clock.advance(0);
    expect(t.reconciled).toEqual(["changed", "listed"]);
    t.stop.abort();
    await done;
  });

  it("fails if a source doesn't sync, and the start fails with the same error", async () => {
    const t = setUp({ cacheSyncTimeout: 500 }, () => Promise.reject(new Error("games is forbidden")));
    const failed = await t.warmup().catch((error: unknown) => error);
    expect(String(failed)).toContain("games is forbidden");
    await expect(t.start()).rejects.toBe(failed);
  });

  it("C5: starts a watch that is added later immediately, with the signal of the warm-up", async () => {
    const t = setUp();
    await t.warmup();
    let late: SourceContext | undefined;
    await t.controller.watch({
      name: "late",
      start: async (ctx) => {
        late = ctx;
      },
    });
    expect(late).toBe(t.fed());
    t.stopWarmup.abort();
    expect(late?.context.signal.aborted).toBe(true);
  });

  it("drops its items if the candidate stops without having been elected", async () => {
    const t = setUp();
    await t.warmup();
    t.add("a");
    t.stopWarmup.abort();
    expect(t.fed()?.queue.length).toBe(0);
    const late = setUp();
    late.stopWarmup.abort();
    await late.warmup();
    expect(late.starts()).toBe(1);
    late.add("a");
    expect(late.fed()?.queue.length).toBe(0);
  });

  it("C1: prevents all reconciles if it is stopped before the sources have synced", async () => {
    const t = setUp({}, () => new Promise((_, reject) => t.stopWarmup.signal.addEventListener("abort", reject)));
    void t.warmup();
    const done = t.start();
    await t.clock.advance(0);
    t.add("a");
    t.stopWarmup.abort();
    await t.clock.advance(0);
    await done;
    expect(t.reconciled).toEqual([]);
  });

  it("keeps the items of an elected leader when it ends", async () => {
    const t = setUp();
    await t.warmup();
    const done = t.start();
    t.stopWarmup.abort();
    t.add("a");
    await t.clock.advance(0);
    expect(t.reconciled).toEqual(["a"]);
    t.stop.abort();
    await done;
  });
});
