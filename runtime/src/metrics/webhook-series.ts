import type { Registry } from "prom-client";
import type { WebhookMetrics } from "../webhook/metrics.ts";
import { tenfoldSeconds } from "./buckets.ts";
import type { Prom } from "./prom.ts";
import { byLabels, timings } from "./tally.ts";

/** `controller_runtime_webhook_…`: what a webhook server has to do. */
export function webhookSeries(prom: Prom, registers: Registry[]): Omit<WebhookMetrics, "certificateRead"> {
  const prefix = "controller_runtime_webhook_";
  const labelNames = ["webhook"] as const;
  const total = new prom.Counter({
    name: `${prefix}requests_total`,
    help: "Admission requests by HTTP status code.",
    labelNames: ["webhook", "code"] as const,
    registers,
  });
  const latencies = { name: `${prefix}latency_seconds`, help: "How long admission requests take.", registers };
  const latencyOf = byLabels(labelNames, timings(latencies, tenfoldSeconds));
  const inFlight = new prom.Gauge({
    name: `${prefix}requests_in_flight`,
    help: "Admission requests that are being served.",
    labelNames,
    registers,
  });
  const counter = (name: string, help: string) => new prom.Counter({ name, help, registers });
  const panics = counter(`${prefix}panics_total`, "Webhook calls that threw something a bug throws.");
  const conversionPanics = counter(
    "controller_runtime_conversion_webhook_panics_total",
    "Conversions that threw something a bug throws.",
  );
  return {
    registered(webhook) {
      for (const code of ["200", "500"]) total.inc({ webhook, code }, 0);
      latencyOf(webhook);
      inFlight.set({ webhook }, 0);
    },
    started(webhook) {
      const since = performance.now();
      inFlight.inc({ webhook });
      return (code) => {
        inFlight.dec({ webhook });
        total.inc({ webhook, code });
        latencyOf(webhook).observe((performance.now() - since) / 1000);
      };
    },
    panicked: () => panics.inc(),
    conversionPanicked: () => conversionPanics.inc(),
  };
}
