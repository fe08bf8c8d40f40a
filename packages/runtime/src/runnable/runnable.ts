import { abortController, newController } from "../clock/abort.ts";

/**
 * Runs as long as the manager.
 *
 * @example
 * await mgr.add({
 *   async start(signal) {
 *     while (!signal.aborted) await collectGarbage(signal);
 *   },
 * });
 */
export interface Runnable {
  /**
   * Runs until the signal aborts. It may resolve earlier. If it rejects, the manager stops and its `start` rejects with
   * the same error.
   *
   * @param signal - aborts when the manager stops
   */
  start(signal: AbortSignal): Promise<void>;
  /**
   * Returns whether only the leader runs it. Without this method, only the leader does.
   *
   * @returns `false` to run it on every replica
   */
  needLeaderElection?(): boolean;
  /**
   * Prepares the start on every replica, before this process is elected: work that takes long and isn't reserved for
   * the leader. If it rejects, the manager stops.
   *
   * @param signal - aborts before the signal of `start`
   */
  warmup?(signal: AbortSignal): Promise<void>;
  /** Resolves when runnables that start later can rely on this one. Without this method, they don't wait. */
  ready?(): Promise<void>;
}

/** Starts and stops runnables together. */
export class RunnableGroup {
  readonly #onError: (error: unknown) => void;
  /** Absent until the first runnable starts: most groups of most managers are empty. */
  #controller: AbortController | undefined;
  readonly #running = new Set<Promise<void>>();
  #waiting: Runnable[] = [];
  #state: "new" | "started" | "stopped" = "new";

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Adds a runnable, and starts it if the group has started. Throws if the group has stopped. */
  add(runnable: Runnable): void {
    if (this.#state === "stopped") throw new Error("can't accept new runnable as stop procedure is already engaged");
    if (this.#state === "started") this.#launch(runnable);
    else this.#waiting.push(runnable);
  }

  /** Starts all added runnables. Resolves when they are ready. */
  async start(): Promise<void> {
    if (this.#state !== "new") return;
    this.#state = "started";
    const runnables = this.#waiting.splice(0);
    for (const runnable of runnables) this.#launch(runnable);
    await Promise.all(runnables.map((runnable) => runnable.ready?.()));
  }

  /** Stops all runnables. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#waiting = [];
    if (this.#controller) abortController(this.#controller);
    await Promise.all(this.#running);
  }

  #launch(runnable: Runnable): void {
    this.#controller ??= newController();
    const { signal } = this.#controller;
    const run = Promise.resolve()
      .then(() => runnable.start(signal))
      .catch((error: unknown) => {
        if (!(signal.aborted && isAbort(error))) this.#onError(error);
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
