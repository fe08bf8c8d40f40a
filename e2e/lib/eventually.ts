import { eventually as becomesTrue } from "@kubewright/runtime/testing";

/**
 * Waits as users' tests do, but for as long as a busy machine may take: `timeout` in milliseconds is far more than anything
 * takes.
 */
export function eventually<T>(check: () => Promise<T> | T, timeout = 90_000, interval = 100): Promise<T> {
  return becomesTrue(check, { timeout, interval });
}
