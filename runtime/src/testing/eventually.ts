import { setTimeout as sleep } from "node:timers/promises";

/** How long {@link eventually} waits. */
export interface EventuallyOptions {
  /** Milliseconds in which it must come true; 10,000 by default. */
  timeout?: number;
  /** Milliseconds between two looks; 50 by default. */
  interval?: number;
  /** Ends the waiting; it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** How long {@link consistently} looks. */
export interface ConsistentlyOptions {
  /** Milliseconds for which it must stay true; 500 by default. */
  duration?: number;
  /** Milliseconds between two looks; 50 by default. */
  interval?: number;
}

/**
 * Looks again and again until a check passes, and resolves to what it gave. A check passes when it neither throws, rejects nor gives
 * `false`; when the time is over, what it threw last is thrown.
 *
 * @example
 * const pod = await eventually(() => client.get(Pod, { namespace: "default", name: "web" }));
 * await eventually(async () => expect((await client.get(Game, key)).status?.phase).toBe("Ready"));
 */
export async function eventually<T>(check: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeout = 10_000, interval = 50, signal } = options;
  const deadline = performance.now() + timeout;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const result = await check();
      if (result !== false) return result;
      if (performance.now() >= deadline) throw new Error(`it gave false for ${timeout} ms`);
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await sleep(interval, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/**
 * Looks again and again whether a check goes on passing, and throws as soon as it doesn't: what shall *not* happen.
 *
 * @example
 * await consistently(async () => expect((await client.list(Pod)).items).toHaveLength(0), { duration: 1000 });
 */
export async function consistently(check: () => unknown, options: ConsistentlyOptions = {}): Promise<void> {
  const { duration = 500, interval = 50 } = options;
  const end = performance.now() + duration;
  for (;;) {
    if ((await check()) === false) throw new Error(`it gave false within ${duration} ms`);
    const left = end - performance.now();
    if (left <= 0) return;
    await sleep(Math.min(interval, left));
  }
}
