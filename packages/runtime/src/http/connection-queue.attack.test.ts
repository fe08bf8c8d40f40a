import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionQueue } from "./connection-queue.ts";

let accepted: string[];
let queue: ConnectionQueue;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setImmediate"] });
  accepted = [];
  queue = new ConnectionQueue();
});
afterEach(() => {
  vi.useRealTimers();
});

function enter(remoteAddress: string, name: string = remoteAddress): { destroyed: boolean } {
  const socket = { remoteAddress, destroyed: false, destroy: () => Object.assign(socket, { destroyed: true }) };
  queue.enter(socket as never as Socket, () => accepted.push(name));
  return socket;
}

const meta = (task: { meta: object }, attempts: number): void => void Object.assign(task.meta, { attempts });

describe("ConnectionQueue", () => {
  it("limits the rate of accepted connections, however many are new", async ({ task }) => {
    meta(task, 5000);
    for (let count = 0; count < 5000; count++) enter("10.0.0.66");
    expect(accepted).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(accepted.length).toBeLessThanOrEqual(5 * 2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(accepted.length).toBeGreaterThan(20 + 100);
    expect(accepted.length).toBeLessThanOrEqual(20 + 10.2 * 15);
  });

  it("doesn't delay an address that has earned connections with responses", ({ task }) => {
    meta(task, 5000);
    for (let count = 0; count < 100; count++) queue.earn("10.0.0.1");
    for (let count = 0; count < 5000; count++) enter("10.0.0.66");
    accepted = [];
    for (let count = 0; count < 200; count++) enter("10.0.0.1");
    expect(accepted).toHaveLength(200);
  });

  it("delays a new address by one turn of each other address", async ({ task }) => {
    meta(task, 5000);
    for (let count = 0; count < 5000; count++) enter(`10.0.0.${count % 5}`);
    enter("10.0.0.66");
    await vi.advanceTimersByTimeAsync(350);
    expect(accepted).toContain("10.0.0.66");
  });

  it("serves a caller that retries frequently", async ({ task }) => {
    meta(task, 5000);
    for (let count = 0; count < 5000; count++) enter(`10.0.0.${count % 5}`);
    await vi.advanceTimersByTimeAsync(5000);
    for (let tries = 0; tries < 30; tries++) {
      enter("10.0.0.66");
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(accepted).toContain("10.0.0.66");
  });

  it("hardly delays a caller at the address of an attacker, because its connection is the newest", async ({ task }) => {
    meta(task, 5000);
    for (let count = 0; count < 5000; count++) enter("10.0.0.66", "attacker");
    enter("10.0.0.66", "caller");
    await vi.advanceTimersByTimeAsync(60);
    expect(accepted).toContain("caller");
  });

  it("drops connections that were closed by the client or waited too long", async ({ task }) => {
    meta(task, 2000);
    const sockets = Array.from({ length: 2000 }, () => enter("10.0.0.66"));
    for (const socket of sockets.slice(10, 1000)) socket.destroyed = true;
    await vi.advanceTimersByTimeAsync(11_000);
    expect(accepted.length).toBeLessThanOrEqual(20 + 11 * 15);
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBe(accepted.length);
  });

  it("accepts the first connections of a caller that reconnects repeatedly without much delay", async ({ task }) => {
    meta(task, 18);
    let waited = 0;
    for (let count = 0; count < 18; count++) {
      enter("10.0.0.1");
      for (; accepted.length <= count; waited += 10) await vi.advanceTimersByTimeAsync(10);
    }
    expect(waited).toBeLessThan(500);
  });

  it("delays a caller without a flood only until its first responses", ({ task }) => {
    meta(task, 200);
    for (let count = 0; count < 200; count++) enter("10.0.0.1");
    for (let count = 0; count < 99; count++) queue.earn("10.0.0.1");
    expect(accepted).toHaveLength(200);
  });
});
