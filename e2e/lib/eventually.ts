import { setTimeout as sleep } from "node:timers/promises";

/**
 * Repeats `check` until its assertions hold. After `timeout` milliseconds, which is far more than anything takes, the last
 * failure fails the test.
 */
export async function eventually<T>(check: () => Promise<T> | T, timeout = 90_000, interval = 100): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(interval);
    }
  }
}
