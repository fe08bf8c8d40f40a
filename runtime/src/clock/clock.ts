/** A timer that was set; {@link Clock.clearTimeout} cancels it. */
export interface Timer {
  /** Lets the process end although the timer is pending. */
  unref(): void;
}

/** Time as the runtime sees it: passed in wherever something waits, so that tests decide how fast it goes. */
export interface Clock {
  /** Milliseconds that only ever go forward; comparable only with other values of the same clock. */
  now(): number;
  /** The wall clock, for what is written into objects. */
  date(): Date;
  /** Calls back once, when so much time is over. */
  setTimeout(callback: () => void, milliseconds: number): Timer;
  /** Cancels a timer; one that has fired, or none, is passed over. */
  clearTimeout(timer: Timer | undefined): void;
}

// Node fires longer timeouts at once, with a warning.
const longestTimeout = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = Object.freeze({
  now: (): number => performance.now(),
  date: (): Date => new Date(),
  setTimeout: (callback: () => void, milliseconds: number): Timer =>
    setTimeout(callback, Math.min(Math.max(0, milliseconds), longestTimeout)),
  clearTimeout: (timer: Timer | undefined): void => clearTimeout(timer as NodeJS.Timeout | undefined),
});

/** Resolves after the given time, or at once when the signal aborts: the caller looks at the signal. */
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
