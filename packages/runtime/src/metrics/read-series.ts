import type { Registry } from "prom-client";
import type { ReadMetrics } from "../cache/read-metrics.ts";
import { byLabels, timings } from "./buffered-series.ts";

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6, 8, 10];

/** Adds `controller_runtime_client_consistency_wait_duration_seconds`. */
export function readSeries(registers: Registry[]): ReadMetrics {
  const histogram = timings(
    {
      name: "controller_runtime_client_consistency_wait_duration_seconds",
      help: "Length of time waiting for the cache to observe writes before serving reads.",
      registers,
    },
    seconds,
  );
  const series = byLabels(["operation", "result"], histogram);
  // Most reads have these results, and need no search for their series.
  const frequent = { get: series("get", "success"), list: series("list", "success") };
  return {
    waited(operation, result, milliseconds) {
      const timing = result === "success" ? frequent[operation] : series(operation, result);
      timing.observe(milliseconds / 1000);
    },
  };
}
