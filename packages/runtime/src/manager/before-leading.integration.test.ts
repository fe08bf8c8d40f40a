import { expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { silentLogger } from "../log/logger.ts";
import { ManagerRun } from "./run.ts";

/** Runs a manager that has won the election, and waits before it leads. */
async function run() {
  const clock = new VirtualClock();
  const order: string[] = [];
  const stop = new AbortController();
  let lose = (_isKept: boolean): void => {};
  let allow = (_isAllowed: boolean): void => {};
  const elector = {
    isLeader: true,
    isSafe: true,
    acquire: async () => true,
    keep: (signal: AbortSignal) =>
      new Promise<boolean>((resolve) => {
        signal.addEventListener("abort", () => resolve(true));
        lose = resolve;
      }),
    release: async () => {},
  };
  const manager = new ManagerRun({
    log: silentLogger,
    clock,
    elector: elector as never,
    beforeLeading: () =>
      new Promise((resolve) => {
        allow = resolve;
      }),
    gracefulShutdownTimeout: 30_000,
    releaseOnCancel: false,
    writeLast: async () => {},
    onUnhandledRejection: () => {},
  });
  manager.leaderElection.add({
    start: async (signal) => {
      order.push("started");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  });
  const done = manager.start(stop.signal).then(String, String);
  await clock.advance(0);
  expect(order).toEqual([]);
  return { clock, order, stop, done, lose: () => lose(false), allow: () => allow(true) };
}

it("the leader starts after the work before it, and keeps its lease meanwhile", async () => {
  const { clock, order, stop, done, allow } = await run();
  allow();
  await clock.advance(0);
  expect(order).toEqual(["started"]);
  stop.abort();
  expect(await done).toBe("undefined");
});

it("a leader that loses its lease while it waits never starts", async () => {
  const { clock, order, done, lose, allow } = await run();
  lose();
  expect(await done).toBe("Error: leader election lost");
  allow();
  await clock.advance(0);
  expect(order).toEqual([]);
});

it("a manager that stops while its leader waits never starts it", async () => {
  const { clock, order, stop, done, allow } = await run();
  stop.abort();
  expect(await done).toBe("undefined");
  allow();
  await clock.advance(0);
  expect(order).toEqual([]);
});
