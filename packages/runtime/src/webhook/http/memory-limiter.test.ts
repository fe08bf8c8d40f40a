import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryLimiter, type NoRoomError, type Permit } from "./memory-limiter.ts";

const kibi = 1024;
const mebi = 1024 * kibi;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setImmediate"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface TestBody {
  permit: Permit;
  evicted?: NoRoomError;
  isPaused: boolean;
  hasArrived: boolean;
}

function admit(limiter: MemoryLimiter, address = "10.0.0.1"): TestBody {
  const body = { isPaused: false, hasArrived: false } as TestBody;
  body.permit = limiter.admit({
    address,
    hasArrived: () => body.hasArrived,
    pause: () => {
      body.isPaused = true;
    },
    resume: () => {
      body.isPaused = false;
    },
    evict: (error) => {
      body.evicted = error;
    },
  });
  return body;
}

describe("MemoryLimiter", () => {
  it("counts only received bytes", () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const bodies = Array.from({ length: 1000 }, () => admit(limiter));
    expect(limiter.held).toBe(0);
    const [first] = bodies;
    first!.permit.charge(3000);
    expect(limiter.held).toBe(3000);
    for (const { permit } of bodies) permit.release();
    first!.permit.release();
    expect(limiter.held).toBe(0);
  });

  it("pauses later bodies, but not the first, and resumes them when memory is released", () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const [first, second, third] = [admit(limiter), admit(limiter), admit(limiter)] as [TestBody, TestBody, TestBody];
    for (const body of [first, second, third]) body.permit.charge(2 * mebi);
    expect([first.isPaused, second.isPaused, third.isPaused]).toEqual([false, true, true]);
    // Only the first body may exceed the limit. Otherwise, no body could ever be completed.
    first.permit.charge(2 * mebi);
    expect(first.isPaused).toBe(false);
    first.permit.complete();
    first.permit.release();
    expect([second.isPaused, third.isPaused]).toEqual([false, true]);
    second.permit.complete();
    second.permit.release();
    expect(third.isPaused).toBe(false);
  });

  it("evicts a stalled body while another one waits", async () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const stalled = admit(limiter);
    stalled.permit.charge(3 * mebi);
    const genuine = admit(limiter);
    genuine.permit.charge(mebi);
    expect(genuine.isPaused).toBe(true);
    await vi.advanceTimersByTimeAsync(700);
    expect(stalled.evicted?.message).toBe("the request was received too slowly while others waited for memory");
    expect([genuine.isPaused, genuine.evicted]).toEqual([false, undefined]);
  });

  it("doesn't pause a sender with at most an equal share of the memory", () => {
    const limiter = new MemoryLimiter(4 * mebi);
    for (let count = 0; count < 3; count++) admit(limiter, "10.0.0.66").permit.charge(mebi);
    const genuine = admit(limiter);
    for (let count = 0; count < 16; count++) genuine.permit.charge(64 * kibi);
    expect(genuine.isPaused).toBe(false);
    // The limit for large bodies is three quarters of the memory, which two senders share.
    genuine.permit.charge(0.6 * mebi);
    expect(genuine.isPaused).toBe(true);
  });

  it("evicts a body that trickles while another one waits", async () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const trickling = admit(limiter);
    trickling.permit.charge(3 * mebi);
    const genuine = admit(limiter);
    genuine.permit.charge(mebi);
    for (let count = 0; count < 20 && !trickling.evicted; count++) {
      await vi.advanceTimersByTimeAsync(60);
      trickling.permit.charge(1);
    }
    expect(trickling.evicted).toBeDefined();
    expect(genuine.isPaused).toBe(false);
  });

  it("doesn't evict a body that arrives fast enough, or a complete one", async () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const complete = admit(limiter);
    complete.permit.charge(mebi);
    complete.permit.complete();
    const steady = admit(limiter);
    steady.permit.charge(mebi);
    const waiting = admit(limiter);
    waiting.permit.charge(2 * mebi);
    expect(waiting.isPaused).toBe(true);
    for (let count = 0; count < 20; count++) {
      await vi.advanceTimersByTimeAsync(100);
      steady.permit.charge(1);
      steady.permit.due = performance.now() + 200;
    }
    expect([complete.evicted, steady.evicted, waiting.evicted]).toEqual([undefined, undefined, undefined]);
  });

  it("doesn't pause a body that has arrived", async () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const first = admit(limiter);
    first.permit.charge(4 * mebi);
    const admitted = admit(limiter);
    admitted.hasArrived = true;
    admitted.permit.charge(mebi);
    expect(admitted.isPaused).toBe(false);
    // A chunked body is only known to be complete after it has been read.
    const chunked = admit(limiter);
    chunked.permit.charge(mebi);
    expect(chunked.isPaused).toBe(true);
    chunked.hasArrived = true;
    await vi.advanceTimersByTimeAsync(60);
    expect(chunked.isPaused).toBe(false);
  });

  it("reserves memory for small bodies, which don't wait for large ones", () => {
    const limiter = new MemoryLimiter(4 * mebi);
    admit(limiter).permit.charge(4 * mebi);
    const small = Array.from({ length: 16 }, () => admit(limiter));
    for (const { permit } of small) permit.charge(64 * kibi);
    expect(small.some(({ isPaused }) => isPaused)).toBe(false);
  });

  it("resumes the sender with the least memory first", () => {
    const limiter = new MemoryLimiter(4 * mebi);
    const first = admit(limiter, "10.0.0.2");
    first.permit.charge(4 * mebi);
    const crowd = Array.from({ length: 10 }, () => admit(limiter, "10.0.0.2"));
    for (const { permit } of crowd) permit.charge(300 * kibi);
    const other = admit(limiter, "10.0.0.1");
    other.permit.charge(1600 * kibi);
    expect(other.isPaused).toBe(true);
    first.permit.release();
    expect(crowd.filter(({ isPaused }) => isPaused)).toHaveLength(10);
    expect(other.isPaused).toBe(false);
  });
});
