import type { Engine } from "../registry/scope.ts";

const retryDelay = 1000;

/** Runs a function for keys, one after another, each at most once at a time. A failure is repeated after a second. */
export class WorkQueue {
  readonly #engine: Engine;
  readonly #work: (key: string) => Promise<void>;
  readonly #pending = new Set<string>();
  #running = false;

  /**
   * @param engine - gives the clock
   * @param work - called with each key
   */
  constructor(engine: Engine, work: (key: string) => Promise<void>) {
    this.#engine = engine;
    this.#work = work;
  }

  /** Adds a key, unless it is waiting already. */
  add(key: string): void {
    this.#pending.add(key);
    if (this.#running) return;
    this.#running = true;
    this.#engine.after(0, () => void this.#run());
  }

  async #run(): Promise<void> {
    for (const key of this.#pending) {
      if (this.#engine.stopping.aborted) break;
      this.#pending.delete(key);
      try {
        await this.#work(key);
      } catch {
        this.#engine.after(retryDelay, () => this.add(key));
      }
    }
    this.#running = false;
  }
}
