import { collectTimes } from "../world/times.ts";
import type { InjectorHost } from "./host.ts";

/** Decides by how many milliseconds a controller that deletes objects is late. */
export function collectAfter(host: InjectorHost, at: string, what: string): number {
  const late = collectTimes[host.choices.fault("gc", at, 3)] as number;
  if (late > 0) host.injected("gc", `the ${what} is ${late / 1000} s late`);
  return late;
}
