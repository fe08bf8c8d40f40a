import { type Clock, sleep } from "../clock/clock.ts";
import { isTransportError } from "../errors/index.ts";

export interface ConnectionGateOptions {
  /** One cheap request; any answer of the server, even a refusal, proves the connection. */
  probe: (signal: AbortSignal) => Promise<unknown>;
  clock: Clock;
  /** Least milliseconds between two probes; 500 by default. */
  interval?: number;
}

/**
 * Where all watches of a process wait while no connection can be made. One of them knocks for all, twice a second: dozens of
 * kinds neither flood a server that comes up, nor sleep through its return.
 */
export class ConnectionGate {
  readonly #options: ConnectionGateOptions;
  #knocking: Promise<void> | undefined;
  #waiting = 0;
  #lastProbe = Number.NEGATIVE_INFINITY;
  #reopenedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionGateOptions) {
    this.#options = options;
  }

  /** Milliseconds since the server answered again after an outage; infinite if there was none. */
  get sinceReopened(): number {
    return this.#options.clock.now() - this.#reopenedAt;
  }

  /** Resolves when a connection can be made, or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting++;
    try {
      this.#knocking ??= this.#knock().finally(() => {
        this.#knocking = undefined;
      });
      await unlessAborted(this.#knocking, signal);
    } finally {
      this.#waiting--;
    }
  }

  async #knock(): Promise<void> {
    const { probe, clock, interval = 500 } = this.#options;
    while (this.#waiting > 0) {
      const pause = this.#lastProbe + interval - clock.now();
      if (pause > 0) await sleep(clock, pause);
      if (this.#waiting === 0) return;
      this.#lastProbe = clock.now();
      try {
        await probe(AbortSignal.timeout(5000));
      } catch (error) {
        if (isTransportError(error)) continue;
      }
      this.#reopenedAt = clock.now();
      return;
    }
  }
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve();
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
