import { newController } from "../clock/abort.ts";

/** Something that runs as long as the manager does. */
export interface Runnable {
  /**
   * Runs until the signal aborts. Resolving earlier is fine; rejecting stops the manager, whose `start` rejects with the same
   * error.
   */
  start(signal: AbortSignal): Promise<void>;
  /** `false` runs it on every replica; otherwise only the leader runs it. */
  needLeaderElection?(): boolean;
  /**
   * Called before this process is elected, on every replica: what takes long and does nothing that only the leader may do. Its
   * signal aborts before that of `start`; rejecting stops the manager.
   */
  warmup?(signal: AbortSignal): Promise<void>;
  /** Resolves when those that start later can rely on it; at once without. */
  ready?(): Promise<void>;
}

/** Runnables that start and stop together. */
export class RunnableGroup {
  readonly #onError: (error: unknown) => void;
  readonly #controller: AbortController = newController();
  readonly #running = new Set<Promise<void>>();
  #waiting: Runnable[] = [];
  #state: "new" | "started" | "stopped" = "new";

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Starts it at once where the group is started. Throws when the group was stopped. */
  add(runnable: Runnable): void {
    if (this.#state === "stopped") throw new Error("can't accept new runnable as stop procedure is already engaged");
    if (this.#state === "started") this.#launch(runnable);
    else this.#waiting.push(runnable);
  }

  /** Resolves when all that were added are ready. */
  async start(): Promise<void> {
    if (this.#state !== "new") return;
    this.#state = "started";
    const runnables = this.#waiting.splice(0);
    for (const runnable of runnables) this.#launch(runnable);
    await Promise.all(runnables.map((runnable) => runnable.ready?.()));
  }

  /** Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#waiting = [];
    this.#controller.abort();
    await Promise.all(this.#running);
  }

  #launch(runnable: Runnable): void {
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
