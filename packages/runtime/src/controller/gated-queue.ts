import type { AddOptions, Queue, QueueItem } from "../queue/queue.ts";
import type { ShardGate } from "../reconcile/shard-gate.ts";

/** A queue that drops the requests of other replicas. */
export class GatedQueue<R> implements Queue<R> {
  readonly #queue: Queue<R>;
  readonly #gate: ShardGate<R>;

  constructor(queue: Queue<R>, gate: ShardGate<R>) {
    this.#queue = queue;
    this.#gate = gate;
  }

  get length(): number {
    return this.#queue.length;
  }

  add(item: R, options?: AddOptions): void {
    if (this.#gate.admits(item)) this.#queue.add(item, options);
    else this.#queue.forget(item);
  }

  get(): Promise<QueueItem<R> | undefined> {
    return this.#queue.get();
  }

  done(item: R): void {
    this.#queue.done(item);
  }

  forget(item: R): void {
    this.#queue.forget(item);
  }

  numRequeues(item: R): number {
    return this.#queue.numRequeues(item);
  }

  resetAges(): void {
    this.#queue.resetAges?.();
  }

  readyAt(item: R): number | undefined {
    return this.#queue.readyAt?.(item);
  }

  shutDown(): void {
    this.#queue.shutDown();
  }
}
