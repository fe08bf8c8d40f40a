/** A timer, which {@link Clock.clearTimeout} cancels. */
export interface Timer {
  /** Allows the process to end while the timer is pending. */
  unref(): void;
}

/** The time of the runtime. Everything that waits receives a clock, so that tests can control the time. */
export interface Clock {
  /**
   * Returns monotonic time.
   *
   * @returns milliseconds that never decrease, comparable only with other values of this clock
   */
  now(): number;
  /**
   * Returns the time of the wall clock, for timestamps in objects.
   *
   * @returns the time
   */
  date(): Date;
  /**
   * Calls a function once after a time.
   *
   * @param callback - the function
   * @param milliseconds - the time to wait in milliseconds
   * @returns a timer
   */
  setTimeout(callback: () => void, milliseconds: number): Timer;
  /**
   * Cancels a timer. It does nothing if the timer has fired or is `undefined`.
   *
   * @param timer - the timer
   */
  clearTimeout(timer: Timer | undefined): void;
  /**
   * The same time, for periodic work that has no effect on anything else, such as the renewal of a lease. A simulation doesn't
   * wait for its timers.
   *
   * @defaultValue this clock
   */
  readonly background?: Clock;
}

// Node.js fires longer timeouts immediately, with a warning.
const longestTimeout = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = Object.freeze({
  now: (): number => performance.now(),
  date: (): Date => new Date(),
  setTimeout: (callback: () => void, milliseconds: number): Timer =>
    setTimeout(callback, Math.min(Math.max(0, milliseconds), longestTimeout)),
  clearTimeout: (timer: Timer | undefined): void => clearTimeout(timer as NodeJS.Timeout | undefined),
});

/** Resolves after a time, or immediately when the signal aborts. Callers check the signal. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done, { once: true });
  });
}
