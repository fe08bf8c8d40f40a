import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { silentLogger } from "../log/logger.ts";
import { createTransport } from "../transport/create-transport.ts";
import { json, startLoopbackServer } from "../transport/loopback-server.ts";
import { candidate, LeaseServer } from "./election.fixture.ts";
import { guardWrites, LeadershipLostError } from "./leadership-guard.ts";
import { leaseDurations } from "./options.ts";

const server = () => new LeaseServer();

/** The clock of a process that can be stopped: the time advances, but no timer fires. */
class StoppedClock extends VirtualClock {
  #stopped = 0;

  stop(milliseconds: number): void {
    this.#stopped += milliseconds;
  }

  override now(): number {
    return super.now() + this.#stopped;
  }
}

describe("a leader elector", () => {
  it("M7: sends no renewal when it resumes after its deadline, which would delay the next leader", async () => {
    const clock = new StoppedClock();
    const at = server();
    const { elector, stop, changes } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    const kept = elector.keep(stop.signal);
    await clock.advance(1000);
    at.calls.length = 0;
    clock.stop(10_000);
    await clock.advance(1000);
    expect(await kept).toBe(false);
    expect([at.calls, changes]).toEqual([[], [true, false]]);
  });

  it("M7: renews the lease when it resumes before its deadline", async () => {
    const clock = new StoppedClock();
    const at = server();
    const { elector, stop, changes } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    const kept = elector.keep(stop.signal);
    clock.stop(7000);
    await clock.advance(2000);
    expect([elector.isSafe, changes]).toEqual([true, [true]]);
    stop.abort();
    expect(await kept).toBe(true);
  });

  it("M8: logs an error and lets the lease expire if it can't release it", async () => {
    const clock = new VirtualClock();
    const at = server();
    const errors: string[] = [];
    const log = { ...silentLogger, error: (_error: unknown, message: string) => void errors.push(message) };
    const { elector, stop, changes } = candidate("a", at, clock, { log });
    await elector.acquire(stop.signal);
    at.isDown = true;
    await elector.release();
    expect([errors, changes, elector.isLeader]).toEqual([["Failed to release lock"], [true, false], false]);
    at.isDown = false;
    await elector.release();
    expect(at.lease?.spec?.holderIdentity).toBe("a");
  });

  it("M8: doesn't release a lease that another candidate has acquired", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    at.change({ holderIdentity: "b" });
    await elector.release();
    expect(at.lease?.spec?.holderIdentity).toBe("b");
  });

  it("adds its labels to the labels of the lease", async () => {
    const clock = new VirtualClock();
    const at = server();
    const first = candidate("a", at, clock, { labels: { app: "x" } });
    await first.elector.acquire(first.stop.signal);
    expect(at.lease?.metadata.labels).toEqual({ app: "x" });
    await first.elector.release();
    const second = candidate("b", at, clock, { labels: { tier: "y" } });
    await clock.advance(2000);
    const won = second.elector.acquire(second.stop.signal);
    await clock.advance(20_000);
    expect(await won).toBe(true);
    expect(at.lease?.metadata.labels).toEqual({ app: "x", tier: "y" });
  });

  it("removes a label with the next renewal, and keeps the others", async () => {
    const clock = new VirtualClock();
    const at = server();
    const first = candidate("a", at, clock, { labels: { app: "x", sharded: "true" } });
    await first.elector.acquire(first.stop.signal);
    await first.elector.release();
    await clock.advance(2000);
    const second = candidate("b", at, clock);
    const won = second.elector.acquire(second.stop.signal);
    await clock.advance(0);
    expect([await won, second.elector.hasLabel("sharded"), second.elector.hasLabel("other")]).toEqual([
      true,
      true,
      false,
    ]);
    second.elector.removeLabel("sharded");
    void second.elector.keep(second.stop.signal);
    await clock.advance(2000);
    expect([at.lease?.metadata.labels, second.elector.hasLabel("sharded")]).toEqual([{ app: "x" }, false]);
    second.stop.abort();
  });

  it("M12: creates the lease, and renews it with one optimistic update per retry period", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop, changes } = candidate("a", at, clock);
    expect(await elector.acquire(stop.signal)).toBe(true);
    expect(at.lease?.spec).toMatchObject({ holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(at.lease?.spec?.renewTime).toMatch(/^2026-01-01T00:00:00\.000000Z$/);
    const kept = elector.keep(stop.signal);
    await clock.advance(6000);
    expect(at.calls).toEqual(["get", "create", "update", "update", "update"]);
    expect(at.lease?.metadata).not.toHaveProperty("labels");
    expect([elector.isLeader, elector.isSafe]).toEqual([true, true]);
    stop.abort();
    expect(await kept).toBe(true);
    expect(changes).toEqual([true]);
  });

  it("M11: waits for a whole lease duration by its own clock, whatever the renewTime is", async () => {
    const clock = new VirtualClock();
    const at = server();
    await candidate("a", at, clock).elector.acquire(new AbortController().signal);
    at.change({ renewTime: "2000-01-01T00:00:00.000000Z" });
    const second = candidate("b", at, clock);
    const won = second.elector.acquire(second.stop.signal);
    await clock.advance(14_000);
    expect(at.lease?.spec?.holderIdentity).toBe("a");
    at.change({ renewTime: "2000-01-01T00:00:01.000000Z" });
    await clock.advance(15_000);
    expect(at.lease?.spec?.holderIdentity).toBe("a");
    await clock.advance(4000);
    expect(await won).toBe(true);
    expect(at.lease?.spec).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
  });

  it("M12: loses the leadership if it can't renew before the deadline, and may not act afterwards", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop, changes } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    const kept = elector.keep(stop.signal);
    at.isDown = true;
    await clock.advance(9_999);
    expect([elector.mayAct, changes]).toEqual([true, [true]]);
    await clock.advance(1);
    expect(elector.mayAct).toBe(false);
    await clock.advance(2000);
    expect(await kept).toBe(false);
    expect([elector.isLeader, changes]).toEqual([false, [true, false]]);
    // Code that still runs after the loss must not write, although the election has ended.
    expect(elector.mayAct).toBe(false);
    expect(candidate("b", at, clock).elector.mayAct).toBe(true);
  });

  it("M12: loses the leadership immediately if another candidate holds the lease", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    const kept = elector.keep(stop.signal);
    at.change({ holderIdentity: "b" });
    await clock.advance(2000);
    expect(await kept).toBe(false);
  });

  it("M7: loses the leadership if the lease was acquired and released by another candidate", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    const kept = elector.keep(stop.signal);
    at.change({ holderIdentity: undefined, leaseTransitions: 1 });
    await clock.advance(2000);
    expect(await kept).toBe(false);
    expect(at.lease?.spec?.holderIdentity).toBeUndefined();
  });

  it("M12: retries immediately after a conflict with a change of the lease's labels", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    void elector.keep(stop.signal);
    at.change({});
    await clock.advance(2000);
    expect(at.calls.slice(2)).toEqual(["update", "get", "update"]);
    expect(elector.isLeader).toBe(true);
    stop.abort();
  });

  it("M8: releases the lease without a holder, for one second, with the same number of transitions", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    at.change({ leaseTransitions: 4 });
    await elector.release();
    expect(at.lease?.spec).toMatchObject({ leaseDurationSeconds: 1, leaseTransitions: 4 });
    expect(at.lease?.spec?.holderIdentity).toBe("");
    const next = candidate("b", at, clock);
    expect(await next.elector.acquire(next.stop.signal)).toBe(true);
    expect(at.lease?.spec?.leaseTransitions).toBe(5);
  });

  it("M8: releases only its own lease", async () => {
    const clock = new VirtualClock();
    const at = server();
    const { elector, stop } = candidate("a", at, clock);
    await elector.release();
    await elector.acquire(stop.signal);
    at.change({ holderIdentity: "b" });
    await elector.release();
    expect(at.lease?.spec?.holderIdentity).toBe("b");
  });

  it("M10: never becomes the leader after it was stopped", async () => {
    const clock = new VirtualClock();
    const at = server();
    at.isDown = true;
    const { elector, stop } = candidate("a", at, clock);
    const won = elector.acquire(stop.signal);
    await clock.advance(5000);
    stop.abort();
    at.isDown = false;
    expect(await won).toBe(false);
    await clock.advance(10_000);
    expect(at.lease).toBeUndefined();
  });

  it("M9: reports no end of leadership if it was never elected", async () => {
    const clock = new VirtualClock();
    const at = server();
    await candidate("a", at, clock).elector.acquire(new AbortController().signal);
    const { elector, stop, changes } = candidate("b", at, clock);
    const won = elector.acquire(stop.signal);
    await clock.advance(5000);
    stop.abort();
    expect(await won).toBe(false);
    await elector.release();
    expect(changes).toEqual([]);
    expect(at.lease?.spec?.holderIdentity).toBe("a");
  });

  it("M12: rejects durations that would allow another leader before the deadline", () => {
    expect(() => leaseDurations({ leaseDuration: 10_000 })).toThrow("leaseDuration must be greater than renewDeadline");
    expect(() => leaseDurations({ renewDeadline: 2400 })).toThrow("renewDeadline must be greater than 1.2 times");
    expect(() => leaseDurations({ leaseDuration: 900, renewDeadline: 800, retryPeriod: 100 })).toThrow("one second");
    expect(leaseDurations({})).toEqual({ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 });
  });

  it("rejects writes while the lease may be lost, and allows reads", async () => {
    let may = true;
    const sent: string[] = [];
    const inner = { request: async ({ method }: { method: string }) => void sent.push(method) };
    const guarded = guardWrites(inner as never, () => may);
    await guarded.request({ method: "POST", path: "/x" });
    may = false;
    await expect(guarded.request({ method: "PUT", path: "/x" })).rejects.toThrow("nothing is written");
    await guarded.request({ method: "GET", path: "/x" });
    expect(sent).toEqual(["POST", "GET"]);
  });

  it("rejects the retry of a write if the lease may be lost by then", async () => {
    let may = true;
    const api = await startLoopbackServer(({ method }, response) => {
      if (method === "GET") return json(response, 200, {});
      may = false;
      json(response, 429, {}, { "retry-after": "1" });
    });
    const transport = createTransport({ host: api.url });
    try {
      const guarded = guardWrites(transport, () => may);
      await expect(guarded.request({ method: "POST", path: "/x" })).rejects.toThrow(LeadershipLostError);
      await guarded.request({ method: "GET", path: "/x" });
      expect(api.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
    } finally {
      await transport.close();
      await api.close();
    }
  });

  it("rejects a write that waited for a connection if the lease may be lost by then", async () => {
    let may = true;
    const api = await startLoopbackServer((_request, response) => json(response, 200, {}));
    const transport = createTransport({ host: api.url });
    try {
      const sent = guardWrites(transport, () => may).request({ method: "POST", path: "/x" });
      may = false;
      await expect(sent).rejects.toThrow(LeadershipLostError);
      expect(api.requests).toEqual([]);
    } finally {
      await transport.close();
      await api.close();
    }
  });
});
