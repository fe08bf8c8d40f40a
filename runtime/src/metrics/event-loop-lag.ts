import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gauge, Registry } from "prom-client";
import type { Prom } from "./prom.ts";

/** Milliseconds between two looks at the event loop. A hundred looks a second, prom-client's own choice, are all that an idle operator would do. */
const resolution = 100;

/**
 * `nodejs_eventloop_lag_…`, under prom-client's names. They are counted here: its own are no numbers where nothing was looked at since
 * the reading before, as for two readers at a time. Here those keep their values. Resolves when the event loop was looked at.
 */
export async function eventLoopLag(prom: Prom, register: Registry): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution });
  const gauge = (name: string, help: string, collect?: () => void): Gauge =>
    new prom.Gauge({ name: `nodejs_eventloop_lag_${name}`, help, registers: [register], collect });
  // The first that a reading comes to: it measures for all.
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
