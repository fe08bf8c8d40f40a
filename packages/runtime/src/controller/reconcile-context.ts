import { linkSignals } from "../clock/abort.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Reason } from "../queue/reason.ts";
import type { Context } from "../reconcile/context.ts";

export interface ReconcileContextOptions {
  /** Creates the logger when the first line is written. */
  log: () => Logger;
  signal: AbortSignal;
  /** Creates the ID of the reconcile when it is first read. */
  reconcileID: () => string;
  reasons: readonly Reason[];
  clock: Clock;
  /** Time limit in milliseconds until the signal aborts. Unset for no limit. */
  timeout?: number;
}

/**
 * The context of one reconcile. Its parts are created on first use, because most reconciles log nothing and don't use the
 * signal.
 */
export class ReconcileContext implements Context {
  readonly reasons: readonly Reason[];
  readonly signal: AbortSignal;
  readonly #options: ReconcileContextOptions;
  #reconcileID: string | undefined;
  #log: Logger | undefined;
  #timer: Timer | undefined;
  #release: (() => void) | undefined;
  #timedOut = false;

  constructor(options: ReconcileContextOptions) {
    this.#options = options;
    this.reasons = options.reasons;
    this.signal = options.timeout ? this.#limited(options.signal, options.timeout) : options.signal;
  }

  get reconcileID(): string {
    this.#reconcileID ??= this.#options.reconcileID();
    return this.#reconcileID;
  }

  get log(): Logger {
    this.#log ??= this.#options.log();
    return this.#log;
  }

  /** Removes the deadline. Returns whether it was exceeded. */
  end(): boolean {
    if (this.#timer) this.#options.clock.clearTimeout(this.#timer);
    this.#release?.();
    return this.#timedOut;
  }

  #limited(outer: AbortSignal, timeout: number): AbortSignal {
    const { signal, release, abort } = linkSignals(outer);
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timedOut = !outer.aborted;
      abort(new Error(`the reconcile took longer than ${timeout} ms`));
    }, timeout);
    this.#release = release;
    return signal;
  }
}
