import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";

/**
 * Creates an abort controller without a limit of listeners. One signal stops everything that a manager runs, and Node.js
 * warns about more than ten listeners.
 */
export function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** The reason of all stops without one. A new error costs more than the rest of the stop, for its stack. */
const stopped = new DOMException("This operation was aborted", "AbortError");

/** Aborts a controller without a reason of its own. */
export function abortController(controller: AbortController): void {
  controller.abort(stopped);
}

/** A signal that aborts with any of several others, until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners from the other signals. Call it when the work that the signal limits has ended. */
  release(): void;
}

/**
 * Returns a signal that aborts as soon as one of the given signals does. `AbortSignal.any` keeps a signal with listeners in
 * memory as long as its sources exist, which for a manager's signal is the lifetime of the process.
 *
 * @param sources - the signals
 * @returns the signal, and `abort`, which releases it and aborts it alone
 */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal & { abort(reason?: unknown): void } {
  const controller = newController();
  const release = (): void => {
    for (const source of sources) source.removeEventListener("abort", abort);
  };
  function abort(this: AbortSignal): void {
    release();
    controller.abort(this.reason);
  }
  const isAborted = sources.find((source) => source.aborted);
  if (isAborted) controller.abort(isAborted.reason);
  else for (const source of sources) source.addEventListener("abort", abort);
  const end = (reason: unknown = stopped): void => {
    release();
    controller.abort(reason);
  };
  return { signal: controller.signal, release, abort: end };
}

/**
 * Returns a signal that aborts after a time, or as soon as one of the given signals does, until it is released.
 *
 * @param clock - the clock that measures the time
 * @param milliseconds - the time
 * @param sources - the signals
 */
export function timeoutSignal(clock: Clock, milliseconds: number, ...sources: readonly AbortSignal[]): LinkedSignal {
  const { signal, release, abort } = linkSignals(...sources);
  const late = (): void => abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  const timer = clock.setTimeout(late, milliseconds);
  timer.unref();
  return {
    signal,
    release: () => {
      clock.clearTimeout(timer);
      release();
    },
  };
}

/** Resolves when the signal aborts, or immediately if it has aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Settles like the promise. If the signal aborts first, settles with the result or error of `otherwise`. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      try {
        resolve(otherwise());
      } catch (error) {
        reject(error);
      }
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(error);
      },
    );
  });
}

/**
 * Runs an async generator that stops immediately when its consumer stops. A plain generator handles `return()` only after
 * the pending `next()` has settled, which takes minutes for a watch without events.
 *
 * @param outer stops the generator too
 * @param generate must end when its signal aborts
 */
export function interruptible<T>(
  outer: AbortSignal | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncIterableIterator<T, void, undefined> {
  const own = newController();
  async function* run(): AsyncGenerator<T, void, undefined> {
    const { signal, release } = linkSignals(own.signal, ...(outer ? [outer] : []));
    try {
      yield* generate(signal);
    } finally {
      release();
    }
  }
  const generator = run();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      abortController(own);
      return generator.return();
    },
    throw: (error) => {
      abortController(own);
      return generator.throw(error);
    },
  };
}
