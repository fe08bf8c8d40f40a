import { errorText } from "../../log/error-text.ts";
import type { Logger } from "../../log/logger.ts";

/** Time in milliseconds per line, since everyone who can reach the port can cause refusals. */
const interval = 10_000;

/** Logs requests that are refused before they reach a handler: a line for the first one, then a summary per interval. */
export class RefusalLog {
  readonly #log: Logger;
  readonly #message: string;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger, message: string) {
    this.#log = log;
    this.#message = message;
  }

  /**
   * Logs a refused request.
   *
   * @param error - the reason
   * @param path - the path of the request
   */
  add(error: unknown, path: string | undefined): void {
    if (this.#timer) {
      this.#count++;
      return;
    }
    this.#log.warn(this.#message, { error: errorText(error), path });
    this.#timer = setInterval(() => this.#summarize(), interval).unref();
  }

  #summarize(): void {
    if (this.#count === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#log.warn(this.#message, { requests: this.#count, seconds: interval / 1000 });
    this.#count = 0;
  }
}
