import type { Operator } from "../lib/operators.ts";

/** Options of each measurement. */
export interface Options {
  /** Ours is the first. */
  readonly operators: readonly [Operator, ...Operator[]];
  /** The number of runs of each operator. */
  readonly runs: number;
  /** Directory for logs. */
  readonly scratch: string;
}
