import type { ShardKey } from "../shards/selector.ts";

/** How replicas share the objects of an operator. */
export interface ShardingOptions {
  /**
   * Value of each object that is hashed: all objects of a namespace have the same owner, or each object has its own. All
   * replicas need the same key.
   *
   * @defaultValue "namespace"
   */
  key?: ShardKey;
  /**
   * Deviation from the mean number of objects that causes no move, from 0 to 1.
   *
   * @defaultValue 0.1
   */
  tolerance?: number;
  /**
   * Time in milliseconds until the signal of a running reconcile aborts because its range moves.
   *
   * @defaultValue 30000
   */
  drainTimeout?: number;
}

/** The options with all defaults. */
export type ShardingSettings = Required<ShardingOptions>;

/** Applies the defaults. Throws an `Error` for an invalid value. */
export function shardingSettings(options: true | ShardingOptions): ShardingSettings {
  const { key = "namespace", tolerance = 0.1, drainTimeout = 30_000 } = options === true ? {} : options;
  if (key !== "namespace" && key !== "uid") {
    throw new Error(`sharding.key: ${JSON.stringify(key)} must be "namespace" or "uid"`);
  }
  if (!(tolerance > 0 && tolerance <= 1))
    throw new Error(`sharding.tolerance: ${tolerance} must be above 0 and at most 1`);
  if (!(drainTimeout >= 0)) throw new Error(`sharding.drainTimeout: ${drainTimeout} must be 0 or more milliseconds`);
  return { key, tolerance, drainTimeout };
}
