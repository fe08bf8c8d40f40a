import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { unlessAborted } from "../clock/abort.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import { type HashRange, mergeRanges, subtractRanges } from "../shards/ranges.ts";
import type { ShardKey } from "../shards/selector.ts";
import type { Informer } from "./informer.ts";
import { InformerShards, type ShardCacheMetrics } from "./informer-shards.ts";
import type { ListWatch } from "./list-watch.ts";

export interface CacheShardsOptions {
  key: ShardKey;
  /** Called at each use, since metrics can be created after caches. */
  metrics?: () => ShardCacheMetrics | undefined;
}

interface ShardedInformer {
  informer: Informer<KubernetesObject>;
  shards: InformerShards;
  /** Returns the lists of the kind's metadata, one per scope. */
  lists: () => Promise<readonly ListWatch[]>;
  isOptional: () => boolean;
}

/** The shards of a cache: the ranges of this process, and the informers that hold only their objects. */
export class CacheShards {
  readonly key: ShardKey;
  readonly #options: CacheShardsOptions;
  readonly #informers = new Map<Informer<KubernetesObject>, ShardedInformer>();
  #ranges: HashRange[] = [];

  constructor(options: CacheShardsOptions) {
    this.#options = options;
    this.key = options.key;
  }

  /** Creates the shards of an informer. */
  newInformer(
    kind: Kind,
    parts: { isNamespaced: (kind?: Kind) => boolean | Promise<boolean>; clock: Clock; log: Logger },
  ): InformerShards {
    const { metrics } = this.#options;
    return new InformerShards({ ...parts, key: this.key, kind: kind.kind, metrics, ranges: () => this.#ranges });
  }

  add(sharded: ShardedInformer): void {
    this.#informers.set(sharded.informer, sharded);
  }

  remove(informer: Informer<KubernetesObject>): void {
    this.#informers.delete(informer);
  }

  /** Lists ranges in all informers that have started. Resolves when their objects are in the stores. */
  async acquire(ranges: readonly HashRange[], signal: AbortSignal): Promise<void> {
    this.#ranges = mergeRanges([...this.#ranges, ...ranges]);
    const acquire = async ({ informer, shards, isOptional }: ShardedInformer): Promise<void> => {
      // A kind that isn't installed must not keep its owner from work. It begins with these ranges later.
      if (isOptional() && !informer.hasSynced) return;
      await unlessAborted(shards.started(), signal, () => {});
      await shards.acquire(ranges, signal);
      if (!signal.aborted) await informer.waitForSync(signal);
    };
    await Promise.all([...this.#informers.values()].filter(({ shards }) => shards.isActive).map(acquire));
  }

  /** Drops the objects of some ranges. */
  release(ranges: readonly HashRange[]): void {
    this.#ranges = subtractRanges(this.#ranges, ranges);
    for (const { shards } of this.#informers.values()) shards.release(ranges);
  }

  /** Returns the number of reconciled objects in the stores by key. */
  counted(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { informer, shards } of this.#informers.values()) shards.count(informer.store, counts, this.#ranges);
    return counts;
  }

  /** Returns the number of reconciled objects of the cluster in some ranges by key. */
  async count(ranges: readonly HashRange[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { shards, lists } of this.#informers.values()) {
      await unlessAborted(shards.started(), signal, () => {});
      if (signal.aborted) break;
      if (shards.reconciled !== undefined) await shards.countOnServer(await lists(), counts, ranges, signal);
    }
    return counts;
  }
}
