import { setMaxListeners } from "node:events";

/** An abort controller that any number may listen to: one signal ends all that a manager runs, and Node warns from eleven on. */
export function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that aborts with any of several others, until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the other signals. Call it when the work that the signal limits has ended. */
  release(): void;
}

/**
 * Returns a signal that aborts as soon as one of the given signals does. `AbortSignal.any` keeps a signal with listeners in memory
 * for as long as its sources live, which for a manager's signal means for ever.
 */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
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
  return { signal: controller.signal, release };
}

/** Resolves when the signal aborts; at once where it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Settles as the promise does or, when the signal aborts before, with what `otherwise` gives or throws. */
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
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * Runs an async generator that stops at once when its consumer leaves. A plain generator handles `return()` only after the pending
 * `next()` has settled, which for a quiet watch takes minutes.
 *
 * @param outer ends the generator too
 * @param generate must end when the signal that it gets aborts
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
      own.abort();
      return generator.return();
    },
    throw: (error) => {
      own.abort();
      return generator.throw(error);
    },
  };
}
