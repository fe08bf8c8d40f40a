import type { HashRange } from "../shards/ranges.ts";

/** The objects of a process, as a group of shards uses them. */
export interface ShardWork {
  /**
   * Counts the reconciled objects of the cluster in some ranges.
   *
   * @returns the number of objects per key
   */
  count(ranges: readonly HashRange[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Returns the number of reconciled objects in the cache per key. */
  counted(): ReadonlyMap<string, number>;
  /** Lists the objects of some ranges with a consistent read. Resolves when they are in the cache of all kinds. */
  acquire(ranges: readonly HashRange[], signal: AbortSignal): Promise<void>;
  /** Drops the objects of some ranges. */
  release(ranges: readonly HashRange[]): void;
  /** Returns when a write last ended without a response, by the monotonic clock. */
  lastUnansweredWrite(): number;
}

/** Why a range moves. */
export type MoveReason = "join" | "leave" | "dead" | "balance";

/** The metrics of a group. */
export interface ShardGroupMetrics {
  members(count: number): void;
  objects(count: number): void;
  unownedRanges(count: number): void;
  moved(direction: "in" | "out", reason: MoveReason): void;
  took(phase: "drain" | "list", seconds: number): void;
}

export const noShardGroupMetrics: ShardGroupMetrics = {
  members() {},
  objects() {},
  unownedRanges() {},
  moved() {},
  took() {},
};
