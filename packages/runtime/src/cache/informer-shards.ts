import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import { containsHash, everything, type HashRange } from "../shards/ranges.ts";
import { type ShardKey, shardSelector } from "../shards/selector.ts";
import { type ListWatch, listPages } from "./list-watch.ts";
import type { ReflectorTarget } from "./reflector.ts";
import { type HashedValue, hashedValue, namespaceHash, objectHash, type ShardUse } from "./shard-keys.ts";
import { type RestartableReflector, ShardScope, type ShardTarget } from "./shard-scope.ts";
import type { Store } from "./store.ts";

/** Receives counts of a cache with shards. */
export interface ShardCacheMetrics {
  filtered(kind: string): void;
  serverSide(kind: string, isServerSide: boolean): void;
}

export interface InformerShardsOptions {
  key: ShardKey;
  /** Name of the kind in metrics. */
  kind: string;
  /** Returns the ranges of this process when a scope starts. */
  ranges: () => readonly HashRange[];
  isNamespaced: (kind?: Kind) => boolean | Promise<boolean>;
  clock: Clock;
  log: Logger;
  metrics?: () => ShardCacheMetrics | undefined;
}

/** The shards of one informer: the uses of its kind, and a filter per scope. */
export class InformerShards {
  readonly #options: InformerShardsOptions;
  readonly #uses = new Set<Exclude<ShardUse, "none">>();
  #isWhole = false;
  #isResolved = false;
  #values: readonly HashedValue[] = [];
  /** The hashed value of reconciled objects, if the kind has such a use. */
  #reconciled: HashedValue | undefined;
  readonly #scopes: ShardScope[] = [];
  #started: () => void = () => {};
  readonly #start: Promise<void>;

  constructor(options: InformerShardsOptions) {
    this.#options = options;
    this.#start = new Promise((resolve) => {
      this.#started = resolve;
    });
  }

  /** Adds a use of the kind: `undefined` for one that needs all objects. */
  use(use: ShardUse | undefined): void {
    if (use === "none") return;
    if (use) this.#uses.add(use);
    else this.#isWhole = true;
    if (!this.#isResolved) return;
    if (!use) void this.acquire([everything], new AbortController().signal);
    else void this.#becomeWholeFor(use);
  }

  /** Holds all objects from now on, if a use that is added after the start divides them by another value. */
  async #becomeWholeFor(use: Exclude<ShardUse, "none">): Promise<void> {
    const { key, isNamespaced } = this.#options;
    if (!this.#values.includes(await hashedValue(use, key, isNamespaced))) this.use(undefined);
  }

  /** Whether the informer holds only some objects. */
  get isActive(): boolean {
    return !this.#isWhole && this.#uses.size > 0;
  }

  /** The hashed value of reconciled objects. `undefined` until the informer has started, and if the kind isn't reconciled. */
  get reconciled(): HashedValue | undefined {
    return this.#reconciled;
  }

  /** Finds out which values are hashed, when the informer starts. */
  async resolve(): Promise<void> {
    const { key, isNamespaced } = this.#options;
    const values = new Set<HashedValue>();
    for (const use of this.#uses) {
      const value = await hashedValue(use, key, isNamespaced);
      values.add(value);
      if (use === "reconciled") this.#reconciled = value;
      // No namespace of a cluster-scoped object leads to its owner.
      if (value === "namespace" && !(await isNamespaced())) this.#isWhole = true;
      // The owners of an object can belong to several replicas.
      if (value === "owner" && typeof use === "object" && use.matchEveryOwner) this.#isWhole = true;
    }
    this.#values = [...values];
  }

  /** Called when all scopes exist. */
  ready(): void {
    this.#isResolved = true;
    this.#started();
  }

  /** Creates the filter of a scope. */
  scope(
    listWatch: ListWatch,
    target: ShardTarget,
    newReflector: (listWatch: ListWatch, target: ReflectorTarget) => RestartableReflector,
  ): ShardScope {
    const { clock, log, kind, metrics, ranges } = this.#options;
    const shard = new ShardScope({
      target,
      listWatch,
      newReflector,
      values: this.#values,
      ranges: ranges(),
      clock,
      log,
      onFiltered: () => metrics?.()?.filtered(kind),
      onServerSide: (isServerSide) => metrics?.()?.serverSide(kind, isServerSide),
    });
    this.#scopes.push(shard);
    return shard;
  }

  /** Whether the store has the objects of an object's shard. */
  holds(object: KubernetesObject): boolean {
    return !this.isActive || this.#scopes.some((shard) => shard.holds(object));
  }

  /** Whether the store has all objects of a namespace. */
  holdsNamespace(namespace: string): boolean {
    if (!this.isActive) return true;
    if (!this.#values.includes("namespace")) return false;
    return this.#scopes.some((shard) => containsHash(shard.held, namespaceHash(namespace)));
  }

  /** Lists ranges in all scopes. An informer that hasn't started begins with them. */
  async acquire(ranges: readonly HashRange[], signal: AbortSignal): Promise<void> {
    await Promise.all(this.#scopes.map((shard) => shard.acquire(ranges, signal)));
  }

  /** Resolves when the informer has started. */
  started(): Promise<void> {
    return this.#start;
  }

  release(ranges: readonly HashRange[]): void {
    if (!this.isActive) return;
    for (const shard of this.#scopes) shard.release(ranges);
  }

  /** Adds the reconciled objects of the store to the counts by key. */
  count(store: Store<KubernetesObject>, counts: Map<string, number>, ranges: readonly HashRange[]): void {
    if (this.#reconciled === undefined) return;
    const add = (key: string, objects: number): void => void counts.set(key, (counts.get(key) ?? 0) + objects);
    if (this.#reconciled === "namespace") {
      for (const [namespace, objects] of store.namespaceSizes()) {
        if (containsHash(ranges, namespaceHash(namespace))) add(namespace, objects);
      }
      return;
    }
    for (const object of store.values()) {
      const hash = objectHash(object, this.#reconciled);
      if (hash !== undefined && containsHash(ranges, hash)) add(object.metadata?.uid ?? "", 1);
    }
  }

  /** Adds the reconciled objects of the cluster in some ranges to the counts by key, with lists of their metadata. */
  async countOnServer(
    lists: readonly ListWatch[],
    counts: Map<string, number>,
    ranges: readonly HashRange[],
    signal: AbortSignal,
  ): Promise<void> {
    const value = this.#reconciled;
    if (value === undefined) return;
    const selector = value === "owner" ? undefined : shardSelector(value, ranges);
    for (const list of lists) {
      for await (const { items } of listPages(list, { shardSelector: selector, signal })) {
        for (const object of items) {
          const hash = objectHash(object, value);
          if (hash === undefined || !containsHash(ranges, hash)) continue;
          const key = (value === "namespace" ? object.metadata?.namespace : object.metadata?.uid) ?? "";
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
    }
  }
}
