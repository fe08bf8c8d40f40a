import { setMaxListeners } from "node:events";

/**
 * The lifetime of one request. It ends by its signal, its timeout or a call of `end`. It replaces chained AbortSignals,
 * which leak in Node 20 if one long-lived signal serves many requests.
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
      // Avoids Node's warning about more than ten listeners: one signal can end many requests.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", this.#onSignal, { once: true });
    }
    if (timeout !== undefined && timeoutError) this.#timer = setTimeout(() => this.end(timeoutError()), timeout);
  }

  /** Called when the scope has released its signal. */
  onRelease: (() => void) | undefined;

  get ended(): boolean {
    return this.#ended;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Ends the request. Pending waits reject with the reason. Only the first call has an effect. */
  end(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason = reason;
    this.release();
    this.#listener?.(reason);
  }

  /** Sets the only listener, which is called when the scope ends, or immediately if it has ended. */
  listen(listener: (reason: unknown) => void): void {
    this.#listener = listener;
    if (this.#ended) listener(this.#reason);
  }

  /** Removes a listener, unless another one replaced it. */
  unlisten(listener: (reason: unknown) => void): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  throwIfEnded(): void {
    if (this.#ended) throw this.#reason;
  }

  /** Settles like the promise, but rejects with the reason if the request ends first. */
  unlessEnded<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(resolve, reject).finally(() => this.unlisten(reject));
      this.listen(reject);
    });
  }

  /** Waits for a time in milliseconds. Rejects with the reason if the request ends first. */
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

  /** Stops the timeout once the response has started. Only the signal can end the rest. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Releases the signal and the timer. */
  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onSignal);
    this.onRelease?.();
  }
}
