import type { RunBase } from "../world/run-world.ts";
import { collectTimes } from "../world/times.ts";

/** Decides by how many milliseconds a controller that deletes objects is late. */
export function collectAfter({ choices, timeline }: RunBase, at: string, what: string): number {
  const late = collectTimes[choices.fault("gc", at, 3)] as number;
  if (late > 0) timeline.fault("gc", `the ${what} is ${late / 1000} s late`);
  return late;
}
