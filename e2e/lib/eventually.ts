import { eventually as becomesTrue } from "@kubewright/runtime/testing";

/** Waits as users' tests do, but long enough for a busy machine. `timeout` and `interval` are in milliseconds. */
export function eventually<T>(check: () => Promise<T> | T, timeout = 90_000, interval = 100): Promise<T> {
  return becomesTrue(check, { timeout, interval });
}
