import { unlessAborted } from "../clock/abort.ts";
import { type Clock, sleep } from "../clock/clock.ts";
import { TransportError } from "../errors/index.ts";

export interface ConnectionGateOptions {
  /** One cheap request; any answer of the server, even a refusal, proves the connection. */
  probe: (signal: AbortSignal) => Promise<unknown>;
  clock: Clock;
  /** Least milliseconds between two probes; 500 by default. */
  interval?: number;
}

/** A server that takes connections and says nothing isn't there. */
const patience = 5000;

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

  /** Whether somebody waits: no connection could be made, or one has just broken. */
  get isShut(): boolean {
    return this.#knocking !== undefined;
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
      await unlessAborted(this.#knocking, signal, () => {});
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
      const late = new AbortController();
      const timer = clock.setTimeout(() => late.abort(), patience);
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

/** An answer that makes no sense is one: whoever asks next says what is wrong with it. */
function isNoAnswer(error: unknown): boolean {
  return error instanceof TransportError && error.code !== "EBADANSWER";
}
