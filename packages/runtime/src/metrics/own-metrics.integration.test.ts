import prom from "prom-client";
import { expect, it } from "vitest";
import { Counter, Gauge, Histogram, Registry, Summary } from "./index.ts";
import { createMetrics } from "./metrics.ts";

it("custom metrics are served with those of the manager", async () => {
  const { registry } = await createMetrics();
  const registers = [registry];
  const games: Counter<"phase"> = new Counter({ name: "games", help: "Games.", labelNames: ["phase"], registers });
  games.inc({ phase: "Ready" });
  // @ts-expect-error: an unknown label
  expect(() => games.inc({ stage: "Ready" })).toThrow("stage");
  new Gauge({ name: "seats", help: "Seats.", registers }).set(3);
  new Histogram({ name: "waits", help: "Waits.", buckets: [1], registers }).observe(2);
  new Summary({ name: "sizes", help: "Sizes.", percentiles: [0.5], registers }).observe(2);
  const text = await registry.metrics();
  for (const line of ['games{phase="Ready"} 1', "seats 3", 'waits_bucket{le="1"} 0', 'sizes{quantile="0.5"} 2']) {
    expect(text).toContain(line);
  }
  expect(text).toContain("rest_client_requests_total");
});

it("the exported classes are those of prom-client, so that libraries with prom-client can use the registry", () => {
  expect([Counter, Gauge, Histogram, Summary, Registry]).toEqual([
    prom.Counter,
    prom.Gauge,
    prom.Histogram,
    prom.Summary,
    prom.Registry,
  ]);
});
