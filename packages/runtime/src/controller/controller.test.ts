import { describe, expect, it, vi } from "vitest";
import { TerminalError } from "../reconcile/terminal-error.ts";
import { request, setUp } from "./controller.fixture.ts";

describe("a controller after a reconcile", () => {
  it("R1: retries an error with increasing delay and the same priority, and logs its ID", async () => {
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

  it("R2: doesn't retry a terminal error anywhere in the causes, and keeps the failure count", async () => {
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

  it("R3: reconciles again after requeueAfter, and resets the failure count", async () => {
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

  it("R4: reconciles again with back-off after requeue, without counting an error", async () => {
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

  it("R5: resets the failure count after a success", async () => {
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

  it("R6: converts any value that a bug throws to an error, which it counts and retries", async () => {
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
      "TypeError: x is not a function",
      "threw a value that isn't an Error: a string",
      "threw a value that isn't an Error: undefined",
      'threw a value that isn\'t an Error: {"code":7}',
      "threw a value that isn't an Error: 5",
      'threw a value that isn\'t an Error: {"self":"[circular]"}',
    ]);
    t.stop.abort();
  });

  it("R7: fails after a bug if recoverPanic is false", async () => {
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

  it("uses the priority of the result for the retry, or else that of the item", async () => {
    const t = setUp({ reconcile: async () => ({ requeueAfter: 10, priority: 5 }) });
    void t.begin();
    await t.clock.advance(0);
    const add = vi.spyOn(t.queue(), "add");
    t.add(request, 3);
    await t.clock.advance(0);
    expect(add).toHaveBeenLastCalledWith(request, expect.objectContaining({ after: 10, priority: 5 }));
    t.stop.abort();
  });

  it("aborts the signal after reconciliationTimeout, and counts no other abort as a timeout", async () => {
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
