import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gauge, Registry } from "prom-client";
import type { Prom } from "./prom.ts";

/**
 * Interval of measurements in milliseconds. With prom-client's interval of 10, they would be most of the work of an
 * idle operator.
 */
const resolution = 100;

/**
 * Adds `nodejs_eventloop_lag_…` with prom-client's names. prom-client's own values are NaN if nothing was measured
 * since the previous read, for example with two concurrent readers; these keep their values. Resolves after the first
 * measurement.
 */
export async function eventLoopLag(prom: Prom, register: Registry): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution });
  const gauge = (name: string, help: string, collect?: () => void): Gauge =>
    new prom.Gauge({ name: `nodejs_eventloop_lag_${name}`, help, registers: [register], collect });
  // The first metric that is collected measures for all.
  const current = gauge("seconds", "Lag of event loop in seconds.", () => {
    const start = performance.now();
    setImmediate(() => current.set((performance.now() - start) / 1000));
    if (delays.count === 0) return;
    for (const { series, nanoseconds } of summary) series.set(nanoseconds() / 1e9);
    delays.reset();
  });
  const summarized = (name: string, help: string, nanoseconds: () => number) => ({
    series: gauge(`${name}_seconds`, help),
    nanoseconds,
  });
  const summary = [
    summarized("min", "The minimum recorded event loop delay.", () => delays.min),
    summarized("max", "The maximum recorded event loop delay.", () => delays.max),
    summarized("mean", "The mean of the recorded event loop delays.", () => delays.mean),
    summarized("stddev", "The standard deviation of the recorded event loop delays.", () => delays.stddev),
    ...[50, 90, 99].map((n) =>
      summarized(`p${n}`, `The ${n}th percentile of the recorded event loop delays.`, () => delays.percentile(n)),
    ),
  ];
  delays.enable();
  while (delays.count === 0) await sleep(resolution);
}
