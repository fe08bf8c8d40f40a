import type { Registry } from "prom-client";
import { systemClock } from "../clock/clock.ts";
import type { WebhookMetrics } from "../webhook/http/metrics.ts";
import { tenfoldSeconds } from "./buckets.ts";
import { byLabels, timings } from "./buffered-series.ts";
import type { Prom } from "./prom.ts";

/** Adds `controller_runtime_webhook_…`: metrics of a webhook server. */
export function webhookSeries(prom: Prom, registers: Registry[]): Omit<WebhookMetrics, "certificateRead"> {
  const prefix = "controller_runtime_webhook_";
  const labelNames = ["webhook"] as const;
  const total = new prom.Counter({
    name: `${prefix}requests_total`,
    help: "Total number of admission requests by HTTP status code.",
    labelNames: ["webhook", "code"] as const,
    registers,
  });
  const latencies = {
    name: `${prefix}latency_seconds`,
    help: "Histogram of the latency of processing admission requests",
    registers,
  };
  const latencyOf = byLabels(labelNames, timings(latencies, tenfoldSeconds));
  const inFlight = new prom.Gauge({
    name: `${prefix}requests_in_flight`,
    help: "Current number of admission requests being served.",
    labelNames,
    registers,
  });
  const counter = (name: string, help: string) => new prom.Counter({ name, help, registers });
  const panics = counter(`${prefix}panics_total`, "Total number of webhook panics");
  const conversionPanics = counter(
    "controller_runtime_conversion_webhook_panics_total",
    "Total number of conversion webhook panics",
  );
  return {
    registered(webhook) {
      for (const code of ["200", "500"]) total.inc({ webhook, code }, 0);
      latencyOf(webhook);
      inFlight.set({ webhook }, 0);
    },
    started(webhook) {
      const since = systemClock.now();
      inFlight.inc({ webhook });
      return (code) => {
        inFlight.dec({ webhook });
        total.inc({ webhook, code });
        latencyOf(webhook).observe((systemClock.now() - since) / 1000);
      };
    },
    panicked: () => panics.inc(),
    conversionPanicked: () => conversionPanics.inc(),
  };
}
