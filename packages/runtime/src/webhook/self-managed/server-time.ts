import type { Clock } from "../../clock/clock.ts";
import { errorText } from "../../log/error-text.ts";
import type { Logger } from "../../log/logger.ts";
import type { Transport } from "../../transport/transport.ts";

/**
 * Maximum difference of two clocks in milliseconds: less than certificates are backdated. The server's time has whole
 * seconds.
 */
const tolerance = 60_000;

/** Time limit in milliseconds. The server has just answered another request. */
const timeout = 10_000;

export interface ServerTimeParts {
  transport: Transport;
  clock: Clock;
  log: Logger;
}

/**
 * Returns the time by which API servers decide whether a certificate is valid. A replica whose own clock is wrong would replace the
 * certificate of all replicas with one that is not valid yet.
 */
export class ServerTime {
  readonly #parts: ServerTimeParts;
  #isOff = false;

  constructor(parts: ServerTimeParts) {
    this.#parts = parts;
  }

  /** Returns this machine's time if it is close to the server's, or if the server doesn't return its time. */
  async now(signal: AbortSignal): Promise<Date> {
    const { clock, log } = this.#parts;
    const theirs = await this.#ask(signal);
    const ours = clock.date();
    const ahead = theirs === undefined ? 0 : ours.getTime() - theirs;
    const isOff = Math.abs(ahead) > tolerance;
    if (isOff && !this.#isOff) {
      const fields = { secondsAhead: Math.round(ahead / 1000) };
      log.warn(
        "This machine's clock differs from the API server's, so webhook certificates use the API server's time",
        fields,
      );
    }
    this.#isOff = isOff;
    return isOff && theirs !== undefined ? new Date(theirs) : ours;
  }

  /** Requests the server's time: every response contains it, and every client may read the version. */
  async #ask(signal: AbortSignal): Promise<number | undefined> {
    const { transport, log } = this.#parts;
    try {
      const { headers } = await transport.request({ method: "GET", path: "/version", signal, timeout, maxRetries: 0 });
      const time = Date.parse(String(headers.date));
      return Number.isNaN(time) ? undefined : time;
    } catch (error) {
      if (!signal.aborted) log.debug("The API server's time is unknown", { error: errorText(error) });
      return undefined;
    }
  }
}
