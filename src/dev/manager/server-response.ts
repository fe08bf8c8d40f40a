import { setTimeout as sleep } from "node:timers/promises";
import { type KubeClient, statusOf } from "../client/kube-client.ts";

/** Milliseconds between two requests. */
const checkTime = 1000;

/** Whether an API server responds, also with an error, or the signal has aborted. */
export async function responds(client: () => Pick<KubeClient, "request">, signal: AbortSignal): Promise<boolean> {
  try {
    await client().request({ method: "GET", path: "/version", timeout: 10 * checkTime, maxRetries: 0, signal });
    return true;
  } catch (error) {
    return statusOf(error) !== undefined;
  }
}

/**
 * Waits until an API server responds, or the signal aborts.
 *
 * @param interval - milliseconds between two requests
 */
export async function untilResponds(
  client: () => Pick<KubeClient, "request">,
  signal: AbortSignal,
  interval: number = checkTime,
): Promise<void> {
  while (!signal.aborted && !(await responds(client, signal))) {
    await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
