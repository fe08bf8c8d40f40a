import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import type { Clock, Timer } from "../clock/clock.ts";
import { type Random, uuid } from "../clock/random.ts";

/** Replacements of the time and the random numbers of the process. */
export interface GlobalSources {
  clock: Clock;
  random: Random;
}

let sources: GlobalSources | undefined;

const machine = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  random: Math.random,
  now: performance.now,
  randomUUID: crypto.randomUUID,
  webRandomUUID: globalThis.crypto.randomUUID,
  sleep: timersPromises.setTimeout,
};

/** Calls a function in the next turn of the real event loop. */
export function realImmediate(): Promise<void> {
  return new Promise((resolve) => machine.setImmediate(resolve));
}

/** Returns the real time in milliseconds. */
export function realNow(): number {
  return machine.now.call(performance);
}

/** Returns the real time of the wall clock in milliseconds since 1970, which processes can compare. */
export function realDate(): number {
  return machine.Date.now();
}

function given(): GlobalSources {
  return sources as GlobalSources;
}

class VirtualDate extends machine.Date {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(given().clock.date().getTime());
    else super(...(values as [number]));
  }

  /** Dates from before the replacement are dates too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof machine.Date;
  }

  static override now(): number {
    return given().clock.date().getTime();
  }
}

interface VirtualTimeout {
  timer: Timer | undefined;
  ref(): VirtualTimeout;
  unref(): VirtualTimeout;
  hasRef(): boolean;
  [Symbol.toPrimitive](): number;
}

function timeout(schedule: (handle: VirtualTimeout) => Timer): VirtualTimeout {
  const handle: VirtualTimeout = {
    timer: undefined,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    [Symbol.toPrimitive]: () => 0,
  };
  handle.timer = schedule(handle);
  return handle;
}

function clear(handle: VirtualTimeout | undefined | null): void {
  if (handle?.timer) given().clock.clearTimeout(handle.timer);
}

const virtual = {
  setTimeout: (call: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) =>
    timeout(() => given().clock.setTimeout(() => call(...values), milliseconds)),
  setInterval: (call: (...values: unknown[]) => void, milliseconds = 1, ...values: unknown[]) =>
    timeout((handle) => {
      const arm = (): Timer =>
        given().clock.setTimeout(
          () => {
            handle.timer = arm();
            call(...values);
          },
          Math.max(1, milliseconds),
        );
      return arm();
    }),
  setImmediate: (call: (...values: unknown[]) => void, ...values: unknown[]) =>
    timeout(() => given().clock.setTimeout(() => call(...values), 0)),
  sleep: (milliseconds = 0, value?: unknown) =>
    new Promise((resolve) => given().clock.setTimeout(() => resolve(value), milliseconds)),
};

/** Sets what replaces the time and the random numbers from now on. */
export function useSources(next: GlobalSources): void {
  sources = next;
}

/**
 * Replaces the time, timers and random numbers of the process, so that code that doesn't use the clock of its manager is
 * repeatable too. All runs of a simulation share the replacement, because it takes as long as a part of a run.
 *
 * @param first - what replaces them, until {@link useSources} is called
 * @returns a function that restores them
 */
export function replaceGlobals(first: GlobalSources): () => void {
  sources = first;
  const newUuid = (): string => uuid(given().random);
  assign({
    ...virtual,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    Date: VirtualDate,
    random: () => given().random(),
    now: () => given().clock.now(),
    randomUUID: newUuid,
    webRandomUUID: newUuid,
  });
  return () => assign(machine);
}

function assign(parts: Record<keyof typeof machine, unknown>): void {
  const { random, now, randomUUID, webRandomUUID, sleep, Date: date, ...functions } = parts;
  Object.assign(globalThis, functions, { Date: date });
  Object.assign(timers, functions);
  Object.assign(timersPromises, { setTimeout: sleep });
  Object.assign(Math, { random });
  Object.assign(crypto, { randomUUID });
  Object.defineProperty(performance, "now", { value: now, configurable: true, writable: true });
  Object.defineProperty(globalThis.crypto, "randomUUID", { value: webRandomUUID, configurable: true, writable: true });
  syncBuiltinESMExports();
}
