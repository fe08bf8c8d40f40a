import { type Clock, sleep, systemClock } from "../clock/clock.ts";
import { isConflict } from "../errors/predicates.ts";

/** Options of {@link retryOnConflict}. */
export interface RetryOnConflictOptions {
  /**
   * Number of calls, with the first one.
   *
   * @defaultValue 5
   */
  attempts?: number;
  /**
   * Time before the second call, in milliseconds. It grows by half with each further call.
   *
   * @defaultValue 10
   */
  delay?: number;
  /** Ends the wait, such as `ctx.signal`. */
  signal?: AbortSignal;
  /**
   * Clock of the waits, which tests can replace.
   *
   * @defaultValue the clock of the system
   */
  clock?: Clock;
}

/**
 * Calls a function again while it fails with a conflict. The function must read the object from the API server and change that copy.
 * In a reconciler, it isn't needed: let the conflict leave `reconcile`, which is retried with the new object.
 *
 * @param update - reads, changes and writes an object
 * @param options - see {@link RetryOnConflictOptions}
 * @returns the result of the first call that succeeds
 * @throws the error of the function, unless it is a conflict; the last conflict after all attempts
 *
 * @example
 * await retryOnConflict(async () => {
 *   const current = await mgr.apiReader.get(Game, key);
 *   current.spec.replicas = 3;
 *   await mgr.client.update(current);
 * });
 */
export async function retryOnConflict<T>(
  update: () => Promise<T>,
  { attempts = 5, delay = 10, signal, clock = systemClock }: RetryOnConflictOptions = {},
): Promise<T> {
  let pause = delay;
  for (let attempt = 1; ; attempt++) {
    try {
      return await update();
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error;
    }
    await sleep(clock, pause, signal);
    signal?.throwIfAborted();
    pause *= 1.5;
  }
}
