import { setTimeout as sleep } from "node:timers/promises";

/** Tries until the assertions in `check` hold; after `timeout` milliseconds, far more than anything takes, the last failure is the test's. */
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
