import { setImmediate } from "node:timers/promises";
import type { Step } from "../registry/scope.ts";

/** Steps of all controllers until the server answers requests. A step takes about a millisecond. */
const stepsPerTurn = 3;

/**
 * Creates what controllers call before each step, so that requests and signals don't wait for them.
 *
 * @param stopping - aborted when the server stops
 * @param restarts - returns how often the server was restarted
 * @returns a function that creates the steps of a controller, which share one limit
 */
export function createSteps(stopping: AbortSignal, restarts: () => number): () => Step {
  let left = stepsPerTurn;
  /** The end of this turn of the event loop, for all controllers that have reached the limit. */
  let turn: Promise<void> | undefined;
  return () => {
    const started = restarts();
    return async () => {
      while (left <= 0) {
        turn ??= setImmediate().then(() => {
          left = stepsPerTurn;
          turn = undefined;
        });
        await turn;
      }
      left--;
      if (stopping.aborted) throw new Error("the server stops");
      // A controller of before must not write into the state after.
      if (restarts() !== started) throw new Error("the server has restarted");
    };
  };
}
