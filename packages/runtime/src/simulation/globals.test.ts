import crypto, { randomUUID } from "node:crypto";
import timersPromises, { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { replaceGlobals } from "./globals.ts";
import { Actor } from "./schedule/actor.ts";
import { Scheduler } from "./schedule/scheduler.ts";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

let restore = (): void => {};
afterEach(() => restore());

/** Replaces the globals, and returns the simulated clock. */
function replaced(): Scheduler {
  const scheduler = new Scheduler(new Actor("code"), () => 0);
  restore = replaceGlobals({ clock: scheduler.clock(new Actor("code")), random: () => 0 });
  return scheduler;
}

it("the globals use the simulated clock and random numbers until the end of the simulation", () => {
  const scheduler = replaced();
  let called = 0;
  setTimeout(() => called++, 3_600_000);
  clearTimeout(setTimeout(() => called++, 3_600_000));
  scheduler.turn();
  scheduler.turn();
  expect(called).toBe(1);
  expect(Date.now()).toBe(scheduler.time);
  expect(new Date()).toEqual(new Date(scheduler.time));
  expect([Math.random(), Math.random()]).toEqual([0, 0]);
});

it("functions that code has stored use the real clock after the simulation", async () => {
  replaced();
  const { Date: KeptDate, setTimeout, setImmediate, setInterval, clearInterval } = globalThis;
  const kept = { newId: crypto.randomUUID, sleep: timersPromises.setTimeout };
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
  expect(await kept.sleep(1, "value")).toBe("value");
  expect(kept.newId()).not.toBe(kept.newId());
  expect(random()).not.toBe(random());
  expect(Math.abs(KeptDate.now() - Date.now())).toBeLessThan(3_600_000);
});

it("a timer that was set before the simulation can be cleared in the simulation", async () => {
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

const base = { crds: [shopCrd], kstatus: false, operator: shopOperator, scenario: shopScenario, seeds: 1 };
const failing = async (): Promise<void> => {
  throw new Error("no such shop");
};
const current = (): unknown[] => [setTimeout, setImmediate, Date, Math.random, performance.now, randomUUID, sleep];

it.each<[string, object]>([
  ["that finds nothing", {}],
  ["whose scenario fails", { scenario: failing }],
  ["with an unknown fault", { faults: ["rain"] }],
  ["with an invalid definition", { crds: [{ ...shopCrd, spec: {} }] }],
  ["without an operator", { operator: undefined }],
])("a simulation %s restores the real time and random numbers", async (_name, options) => {
  const before = current();
  await simulate({ ...base, ...options } as typeof base).catch(() => {});
  expect(current()).toEqual(before);
  expect(randomUUID()).not.toBe(randomUUID());
});
