import { setMaxListeners } from "node:events";

/**
 * The life of one request: ends by its signal, its timeout or from outside. One object in place of chained AbortSignals,
 * which leak in Node 20 when one long-lived signal serves many requests.
 */
export class Scope {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #listener: ((reason: unknown) => void) | undefined;
  #ended = false;
  #reason: unknown;
  readonly #onSignal = (): void => this.end(this.#signal?.reason);

  constructor(signal?: AbortSignal, timeout?: number, timeoutError?: () => Error) {
    this.#signal = signal;
    if (signal?.aborted) {
      this.end(signal.reason);
      return;
    }
    if (signal) {
      // One signal ends many requests at a time; Node takes more than ten for a leak.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", this.#onSignal, { once: true });
    }
    if (timeout !== undefined && timeoutError) this.#timer = setTimeout(() => this.end(timeoutError()), timeout);
  }

  /** Called when the scope has let go of its signal. */
  onRelease: (() => void) | undefined;

  get ended(): boolean {
    return this.#ended;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Ends the request with a reason, which whoever waits is thrown. Only the first reason counts. */
  end(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason = reason;
    this.release();
    this.#listener?.(reason);
  }

  /** One listener at a time: whoever waits right now. Called at once when it has ended. */
  listen(listener: (reason: unknown) => void): void {
    this.#listener = listener;
    if (this.#ended) listener(this.#reason);
  }

  /** Takes a listener back, unless another one has come since. */
  unlisten(listener: (reason: unknown) => void): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  throwIfEnded(): void {
    if (this.#ended) throw this.#reason;
  }

  /** Settles as the promise does; rejects with the reason if the request ends before. */
  unlessEnded<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(resolve, reject).finally(() => this.unlisten(reject));
      this.listen(reject);
    });
  }

  /** Waits; rejects with the reason when the request ends before. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (reason: unknown): void => {
        clearTimeout(timer);
        reject(reason);
      };
      const timer = setTimeout(() => {
        this.unlisten(stop);
        resolve();
      }, milliseconds);
      this.listen(stop);
    });
  }

  /** Stops the timeout: the request is answered, only the signal can end what is left. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Lets go of the signal and the timer. */
  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onSignal);
    this.onRelease?.();
  }
}
