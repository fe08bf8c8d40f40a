import { unlessAborted } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { TransportError } from "../errors/transport-error.ts";

export interface ConnectionGateOptions {
  /** Sends one cheap request. Any response of the server, even a refusal, proves the connection. */
  probe: (signal: AbortSignal) => Promise<unknown>;
  clock: Clock;
  /** Minimum time in milliseconds between two probes; 500 by default. */
  interval?: number;
}

/** Time limit of a probe in milliseconds, for servers that accept connections without responding. */
const maxWait = 5000;

/**
 * Blocks all watches of a process while no connection can be established. One of them probes for all, twice per second:
 * dozens of kinds neither flood a restarting server nor notice its return late.
 */
export class ConnectionGate {
  readonly #options: ConnectionGateOptions;
  #probing: Promise<void> | undefined;
  #waiting = 0;
  #lastProbe = Number.NEGATIVE_INFINITY;
  #reopenedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionGateOptions) {
    this.#options = options;
  }

  /** Whether watches wait because no connection could be established, or one was lost. */
  get isShut(): boolean {
    return this.#probing !== undefined;
  }

  /** Time in milliseconds since the server responded again after an outage; infinite if there was none. */
  get sinceReopened(): number {
    return this.#options.clock.now() - this.#reopenedAt;
  }

  /** Resolves when a connection can be established, or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting++;
    try {
      this.#probing ??= this.#probe().finally(() => {
        this.#probing = undefined;
      });
      await unlessAborted(this.#probing, signal, () => {});
    } finally {
      this.#waiting--;
    }
  }

  async #probe(): Promise<void> {
    const { probe, clock, interval = 500 } = this.#options;
    while (this.#waiting > 0) {
      const pause = this.#lastProbe + interval - clock.now();
      if (pause > 0) await sleep(clock, pause);
      if (this.#waiting === 0) return;
      this.#lastProbe = clock.now();
      const late = new AbortController();
      const timer = clock.setTimeout(() => late.abort(), maxWait);
      try {
        await probe(late.signal);
      } catch (error) {
        if (late.signal.aborted || isNoAnswer(error)) continue;
      } finally {
        clock.clearTimeout(timer);
      }
      this.#reopenedAt = clock.now();
      return;
    }
  }
}

/** Checks for an error without a response. An invalid response proves the connection; the next request reports the error. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof TransportError && error.code !== "EBADANSWER";
}
