import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers, { type TimerOptions } from "node:timers";
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

function now(): number {
  return sources ? sources.clock.date().getTime() : machine.Date.now();
}

class VirtualDate extends machine.Date {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(now());
    else super(...(values as [number]));
  }

  /** Dates from before the replacement are dates too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof machine.Date;
  }

  static override now(): number {
    return now();
  }
}

/** A timer of the simulated clock, as code that uses the timers of the process sees it. */
class VirtualTimeout {
  timer: Timer | undefined;

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.toPrimitive](): number {
    return 0;
  }
}

type Call = (...values: unknown[]) => void;

/** Clears a timer. A timer of the machine was set before the replacement. */
function clear(handle: unknown, ofMachine: (handle: never) => void): void {
  if (handle instanceof VirtualTimeout) sources?.clock.clearTimeout(handle.timer);
  else ofMachine(handle as never);
}

/**
 * The replacements. Modules that are loaded during a simulation may keep them, so they pass calls on to the machine when the
 * simulation has ended.
 */
const virtual = {
  setTimeout(call: Call, milliseconds = 0, ...values: unknown[]): unknown {
    if (!sources) return machine.setTimeout(call, milliseconds, ...values);
    const handle = new VirtualTimeout();
    handle.timer = sources.clock.setTimeout(() => call(...values), milliseconds);
    return handle;
  },
  setInterval(call: Call, milliseconds = 1, ...values: unknown[]): unknown {
    if (!sources) return machine.setInterval(call, milliseconds, ...values);
    const { clock } = sources;
    const handle = new VirtualTimeout();
    const arm = (): void => {
      const next = (): void => {
        arm();
        call(...values);
      };
      handle.timer = clock.setTimeout(next, Math.max(1, milliseconds));
    };
    arm();
    return handle;
  },
  setImmediate(call: Call, ...values: unknown[]): unknown {
    return sources ? virtual.setTimeout(call, 0, ...values) : machine.setImmediate(call, ...values);
  },
  clearTimeout: (handle: unknown): void => clear(handle, machine.clearTimeout),
  clearInterval: (handle: unknown): void => clear(handle, machine.clearInterval),
  clearImmediate: (handle: unknown): void => clear(handle, machine.clearImmediate),
  sleep(milliseconds = 0, value?: unknown, options?: TimerOptions): Promise<unknown> {
    if (!sources) return machine.sleep(milliseconds, value, options);
    const { clock } = sources;
    return new Promise((resolve) => clock.setTimeout(() => resolve(value), milliseconds));
  },
  Date: VirtualDate,
  random: (): number => (sources ? sources.random() : machine.random()),
  now: (): number => (sources ? sources.clock.now() : realNow()),
  randomUUID: (options?: { disableEntropyCache?: boolean }): string =>
    sources ? uuid(sources.random) : machine.randomUUID(options),
  webRandomUUID: (): string => (sources ? uuid(sources.random) : machine.webRandomUUID.call(globalThis.crypto)),
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
  assign(virtual);
  return () => {
    sources = undefined;
    assign(machine);
  };
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
