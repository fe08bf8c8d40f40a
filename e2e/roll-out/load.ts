// Makes calls at a steady rate, regardless of their duration.
import { setTimeout as sleep } from "node:timers/promises";

/** The results of the calls. */
export interface Measured {
  readonly calls: number;
  /** Errors of failed calls. */
  readonly failed: readonly string[];
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
}

/** Makes this many calls per second until it is stopped. Then waits for all calls. */
export function startCalls(call: () => Promise<unknown>, perSecond: number): { stop(): Promise<Measured> } {
  const stopped = new AbortController();
  const took: number[] = [];
  const failed: string[] = [];
  const open = new Set<Promise<void>>();
  const send = async (): Promise<void> => {
    const began = performance.now();
    await call().catch((error: Error) => void failed.push(error.message));
    took.push(performance.now() - began);
  };
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const request = send().finally(() => open.delete(request));
      open.add(request);
      await sleep(1000 / perSecond);
    }
  };
  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
      await Promise.all(open);
      const sorted = took.toSorted((a, b) => a - b);
      const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
      return { calls: took.length, failed, median: at(0.5), p99: at(0.99) };
    },
  };
}

/** Formats one line for a report. */
export function summaryOf(what: string, { calls, failed, median, p99 }: Measured): string {
  return `${what}: ${calls} calls, ${failed.length} failed, median ${median} ms, p99 ${p99} ms`;
}
