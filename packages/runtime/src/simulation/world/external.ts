import { errorText, redactField } from "../../log/redact.ts";
import type { SimulatedProcess } from "../../session/simulated-process.ts";
import { shortened } from "../report/differences.ts";
import { Lane } from "../schedule/actor.ts";
import { noResponse } from "./network.ts";
import type { OperatorProcess } from "./process.ts";
import type { RunBase } from "./run-world.ts";
import type { External } from "./world.ts";

/** The processes whose calls of an external system are observed, and their world. */
export interface Callers {
  readonly world: RunBase;
  readonly processes: readonly OperatorProcess[];
}

type AnyFunction = (...values: unknown[]) => unknown;

/** The functions that have returned promises. A process can end only where it waits. */
const asynchronous = new WeakSet<AnyFunction>();

/**
 * Lets the calls of an external system be steps of the schedule. The functions are replaced in the object itself, so that
 * code that holds it calls them too.
 *
 * @param system - the system
 * @param callers - the processes that call it
 * @param isChecking - whether a rule of the user is being checked. Its calls read the system, and aren't part of the run
 * @param prefix - begins the names of the functions in the timeline
 * @returns a function that undoes the replacement
 */
export function observeExternal(
  system: External,
  callers: Callers,
  isChecking: () => boolean,
  prefix = "",
): () => void {
  const undo: (() => void)[] = [];
  for (const name of functionNames(system)) {
    const original = system[name] as AnyFunction;
    const own = Object.getOwnPropertyDescriptor(system, name);
    system[name] = (...values: unknown[]) =>
      isChecking() ? original.apply(system, values) : call(callers, `${prefix}${name}`, original, system, values);
    undo.push(() => {
      if (own) Object.defineProperty(system, name, own);
      else delete system[name];
    });
  }
  return () => {
    for (const restore of undo) restore();
  };
}

/**
 * Remembers the properties of a system that aren't functions.
 *
 * @param system - the system
 * @returns a function that restores them
 */
export function rememberState(system: External): () => void {
  const values = Object.entries(system).filter(([, value]) => typeof value !== "function");
  const copies = values.map(([name, value]) => [name, copied(value)] as const);
  return () => {
    for (const name of Object.keys(system)) {
      if (typeof system[name] !== "function" && !copies.some(([field]) => field === name)) delete system[name];
    }
    for (const [name, value] of copies) {
      const present: unknown = system[name];
      // Code may hold the collection itself.
      if (present instanceof Map && value instanceof Map) {
        present.clear();
        for (const [key, item] of value) present.set(key, copied(item));
      } else if (present instanceof Set && value instanceof Set) {
        present.clear();
        for (const item of value) present.add(copied(item));
      } else if (Array.isArray(present) && Array.isArray(value)) present.splice(0, present.length, ...copied(value));
      else if (present !== value) system[name] = copied(value);
    }
  };
}

function copied<T>(value: T): T {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

function functionNames(system: External): string[] {
  const names = new Set<string>();
  for (let at: object | null = system; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function" && name !== "constructor") names.add(name);
    }
  }
  return [...names];
}

function call(
  { world, processes }: Callers,
  name: string,
  original: AnyFunction,
  system: External,
  values: unknown[],
): unknown {
  const { scheduler, choices, timeline } = world;
  const { actor } = scheduler;
  if (actor.isEnded) return noResponse();
  const process = processes.find((candidate) => candidate.actor === actor);
  const shown = (value: unknown): string => shortened(redactField(name, value));
  const title = `${name}(${values.map(shown).join(", ")})`;
  const crash = (when: string): Promise<never> => {
    timeline.fault("crash", `${actor.name} ends ${when} ${title}`);
    process?.crash([0, 1000, 30_000][choices.detail("crash", "restart", 2)] as number);
    return noResponse();
  };
  if (process && asynchronous.has(original) && choices.fault("crash", `${name}()`) > 0) return crash("before");
  let result: unknown;
  try {
    result = original.apply(system, values);
  } catch (error) {
    timeline.add(actor.name, "external", title, "", `throws ${errorText(error)}`);
    throw error;
  }
  if (!(result instanceof Promise)) {
    timeline.add(actor.name, "external", title, "", result === undefined ? "" : shown(result));
    return result;
  }
  asynchronous.add(original);
  const lane = new Lane(actor);
  return new Promise((resolve, reject) => {
    const settle = (detail: string, end: () => void): void => {
      timeline.add(actor.name, "external", title, "", detail);
      if (process && process.actor === actor && choices.fault("crash", `after ${name}()`) > 0) void crash("after");
      else scheduler.push(lane, end);
    };
    result.then(
      (value: unknown) => settle(value === undefined ? "" : shown(value), () => resolve(value)),
      (error: unknown) => settle(`rejects ${errorText(error)}`, () => reject(error)),
    );
  });
}

/**
 * Returns the connection of declared systems with those that take their place.
 *
 * @param systems - the systems of the option `externals`
 */
export function replacedSystems(
  systems: Readonly<Record<string, External>>,
): NonNullable<SimulatedProcess["external"]> {
  return (system, name, values) => {
    if (!Object.hasOwn(systems, system)) return undefined;
    const replacement = systems[system] as External;
    const called: unknown = replacement[name];
    if (typeof called === "function") return { result: called.apply(replacement, values) };
    throw new TypeError(`externals: the system ${system} has no function ${name}`);
  };
}
