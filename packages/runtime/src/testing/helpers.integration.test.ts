import { describe, expect, it } from "vitest";
import { ExponentialBackoff, PriorityQueue } from "../index.ts";
import { consistently, eventually, fakeRecorder, VirtualClock } from "./index.ts";

describe("eventually", () => {
  it("returns the result of the first check that neither fails nor returns false", async () => {
    let calls = 0;
    const check = (): number | false => {
      calls++;
      if (calls === 1) throw new Error("not yet");
      return calls === 2 ? false : calls;
    };
    expect(await eventually(check, { interval: 1 })).toBe(3);
    expect(await eventually(async () => "at once")).toBe("at once");
    expect(await eventually(() => undefined)).toBeUndefined();
  });

  it("throws the last error of the check, or that it returned false", async () => {
    let calls = 0;
    const failing = (): never => {
      throw new Error(`failure ${++calls}`);
    };
    const error = await eventually(failing, { timeout: 20, interval: 5 }).catch((caught: unknown) => caught);
    expect((error as Error).message).toBe(`failure ${calls}`);
    expect(calls).toBeGreaterThan(1);
    await expect(eventually(() => false, { timeout: 5, interval: 1 })).rejects.toThrow(
      "the check returned false for 5 ms",
    );
  });

  it("throws a final error at once", async () => {
    let calls = 0;
    const check = (): never => {
      calls++;
      throw new Error(calls < 3 ? "not yet" : "invalid");
    };
    const isFinal = (error: unknown) => (error as Error).message === "invalid";
    await expect(eventually(check, { timeout: 600_000, interval: 1, isFinal })).rejects.toThrow("invalid");
    expect(calls).toBe(3);
  });

  it("ends when its signal aborts", async () => {
    const stop = new AbortController();
    const waiting = eventually(() => false, { timeout: 60_000, interval: 60_000, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

describe("consistently", () => {
  it("resolves if the check always passes, and throws after its first failure", async () => {
    let calls = 0;
    await consistently(() => ++calls, { duration: 20, interval: 2 });
    expect(calls).toBeGreaterThan(1);
    await expect(consistently(() => ++calls < 5, { duration: 10_000, interval: 1 })).rejects.toThrow(
      "the check returned false",
    );
  });
});

it("fakeRecorder records events with copies of their objects", () => {
  const recorder = fakeRecorder();
  const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
  recorder.event(object, "Normal", "Created", "Created it", { action: "Create" });
  object.metadata.name = "b";
  recorder.event(object, "Warning", "Failed", "No more");
  expect(recorder.lines).toEqual(["Normal Created Created it", "Warning Failed No more"]);
  expect(recorder.events[0]).toMatchObject({ object: { metadata: { name: "a" } }, action: "Create" });
  recorder.clear();
  expect(recorder.events).toEqual([]);
});

describe("VirtualClock", () => {
  it("makes queues and back-off wait in virtual time", async () => {
    const clock = new VirtualClock();
    const queue = new PriorityQueue<string>({ keyOf: String, clock, rateLimiter: new ExponentialBackoff() });
    queue.add("later", { after: 60_000 });
    expect(queue.length).toBe(0);
    await clock.advance(59_999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
    queue.add("failed", { rateLimited: true });
    expect(queue.length).toBe(1);
    await clock.advance(5);
    expect(queue.length).toBe(2);
  });
});
