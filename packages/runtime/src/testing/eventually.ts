import { setTimeout as sleep } from "node:timers/promises";

/** Options of {@link eventually}. */
export interface EventuallyOptions {
  /**
   * Time limit in milliseconds.
   *
   * @defaultValue 10000
   */
  timeout?: number;
  /**
   * Time in milliseconds between two checks.
   *
   * @defaultValue 50
   */
  interval?: number;
  /**
   * Returns whether an error of the check ends the wait, because repeating the check can't help.
   *
   * @param error - the error of the check
   * @returns whether the wait ends with this error
   *
   * @defaultValue no error does
   */
  isFinal?(error: unknown): boolean;
  /**
   * Ends the wait: the result rejects with the signal's reason.
   *
   * @defaultValue none
   */
  signal?: AbortSignal;
}

/** Options of {@link consistently}. */
export interface ConsistentlyOptions {
  /**
   * Time in milliseconds for which the check must pass.
   *
   * @defaultValue 500
   */
  duration?: number;
  /**
   * Time in milliseconds between two checks.
   *
   * @defaultValue 50
   */
  interval?: number;
}

/**
 * Repeats a check until it passes: every 50 ms for at most 10 s by default. A check passes if it neither throws,
 * rejects nor returns `false`.
 *
 * @param check - the check
 * @param options - see {@link EventuallyOptions}
 * @returns the result of the check that passed
 * @throws the last error of the check when the time limit is reached, or the first final one
 *
 * @example
 * const pod = await eventually(() => client.get(Pod, { namespace: "default", name: "web" }));
 * await eventually(async () => expect((await client.get(Game, key)).status?.phase).toBe("Ready"));
 */
export async function eventually<T>(check: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeout = 10_000, interval = 50, signal, isFinal = () => false } = options;
  const deadline = performance.now() + timeout;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const result = await check();
      if (result !== false) return result;
      if (performance.now() >= deadline) throw new Error(`the check returned false for ${timeout} ms`);
    } catch (error) {
      if (performance.now() >= deadline || isFinal(error)) throw error;
    }
    await sleep(interval, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/**
 * Repeats a check and throws as soon as it fails: every 50 ms for 500 ms by default. Use it to assert that something
 * does *not* happen.
 *
 * @param check - the check
 * @param options - see {@link ConsistentlyOptions}
 * @throws the error of the check, or an `Error` if it returns `false`
 *
 * @example
 * await consistently(async () => expect((await client.list(Pod)).items).toHaveLength(0), { duration: 1000 });
 */
export async function consistently(check: () => unknown, options: ConsistentlyOptions = {}): Promise<void> {
  const { duration = 500, interval = 50 } = options;
  const end = performance.now() + duration;
  for (;;) {
    if ((await check()) === false) throw new Error(`the check returned false within ${duration} ms`);
    const left = end - performance.now();
    if (left <= 0) return;
    await sleep(Math.min(interval, left));
  }
}
