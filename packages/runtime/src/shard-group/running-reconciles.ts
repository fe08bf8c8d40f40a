import { linkSignals } from "../clock/abort.ts";
import type { StartedReconcile } from "../reconcile/shard-gate.ts";
import { containsHash, type HashRange } from "../shards/ranges.ts";

interface Running {
  hash: bigint;
  abort(reason: Error): void;
}

/** The running reconciles by the hash of their object, so that a range moves only after the last one. */
export class RunningReconciles {
  readonly #running = new Set<Running>();
  readonly #waiting = new Set<() => void>();

  begin(hash: bigint, outer: AbortSignal): StartedReconcile {
    const { signal, release, abort } = linkSignals(outer);
    const running: Running = { hash, abort };
    this.#running.add(running);
    return {
      signal,
      end: () => {
        release();
        this.#running.delete(running);
        for (const check of this.#waiting) check();
      },
    };
  }

  /** Returns the number of reconciles in some ranges. */
  countIn(ranges: readonly HashRange[]): number {
    return this.#in(ranges).length;
  }

  /** Aborts the signals of the reconciles in some ranges. */
  abortIn(ranges: readonly HashRange[], reason: Error): void {
    for (const { abort } of this.#in(ranges)) abort(reason);
  }

  /** Resolves when no reconcile runs in the ranges, or when the signal aborts. */
  drained(ranges: readonly HashRange[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!signal.aborted && this.countIn(ranges) > 0) return;
        this.#waiting.delete(check);
        signal.removeEventListener("abort", check);
        resolve();
      };
      this.#waiting.add(check);
      signal.addEventListener("abort", check);
      check();
    });
  }

  #in(ranges: readonly HashRange[]): Running[] {
    return [...this.#running].filter(({ hash }) => containsHash(ranges, hash));
  }
}
