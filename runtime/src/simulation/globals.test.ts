import crypto from "node:crypto";
import timersPromises from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { replaceGlobals } from "./globals.ts";
import { Actor } from "./schedule/actor.ts";
import { Scheduler } from "./schedule/scheduler.ts";

let restore = (): void => {};
afterEach(() => restore());

/** Replaces the globals, and returns the clock of the simulation. */
function replaced(): Scheduler {
  const scheduler = new Scheduler(new Actor("code"), () => 0);
  restore = replaceGlobals({ clock: scheduler.clock(new Actor("code")), random: () => 0 });
  return scheduler;
}

it("uses the simulated clock and random numbers until the end of the simulation", () => {
  const scheduler = replaced();
  let called = 0;
  setTimeout(() => called++, 3_600_000);
  clearTimeout(setTimeout(() => called++, 3_600_000));
  scheduler.turn();
  scheduler.turn();
  expect(called).toBe(1);
  expect(Date.now()).toBe(scheduler.time);
  expect([Math.random(), Math.random()]).toEqual([0, 0]);
});

it("lets code that has kept the functions use those of the machine afterwards", async () => {
  replaced();
  const { Date: KeptDate, setTimeout, setImmediate, setInterval, clearInterval } = globalThis;
  const { randomUUID } = crypto;
  const { setTimeout: sleep } = timersPromises;
  const { random } = Math;
  restore();
  await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      clearInterval(timer);
      resolve();
    }, 1);
  });
  expect(await sleep(1, "value")).toBe("value");
  expect(randomUUID()).not.toBe(randomUUID());
  expect(random()).not.toBe(random());
  expect(Math.abs(KeptDate.now() - Date.now())).toBeLessThan(1000);
});

it("clears a timer from before the simulation", async () => {
  let called = false;
  const timer = setTimeout(() => {
    called = true;
  }, 1);
  replaced();
  clearTimeout(timer);
  restore();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(called).toBe(false);
});
