import type { ShardGroup } from "../../shard-group/shard-group.ts";

/** The running reconciles of a process that shares the objects with others, by the hash of their object. */
export class ShardReconciles {
  readonly #running = new Map<object, bigint>();
  /** Called with the hash of each object whose reconcile begins. */
  onBegin: ((hash: bigint) => void) | undefined;

  /** The hashes of the objects. */
  get hashes(): Iterable<bigint> {
    return this.#running.values();
  }

  clear(): void {
    this.#running.clear();
  }

  /** Records the reconciles of a member until its process has ended. */
  observe(group: ShardGroup, isCurrent: () => boolean): void {
    const begin = group.begin.bind(group);
    group.begin = (hash, signal) => {
      const started = begin(hash, signal);
      if (!isCurrent()) return started;
      this.#running.set(started, hash);
      this.onBegin?.(hash);
      return {
        signal: started.signal,
        end: () => {
          this.#running.delete(started);
          started.end();
        },
      };
    };
  }
}
