import prom from "prom-client";
import { describe, expect, it } from "vitest";
import { bufferedCounters, timings } from "./buffered-series.ts";

const labels = { controller: "game" };

describe("a buffered series", () => {
  it("has the same text as counters and gauges of prom-client, after each read", async () => {
    const [ours, theirs] = [new prom.Registry(), new prom.Registry()];
    const options = { help: "Help.", labelNames: ["controller"] };
    for (const type of ["Counter", "Gauge"] as const) {
      const add = bufferedCounters(prom, type, { ...options, name: type, registers: [ours] })(labels);
      const reference = new prom[type]({ ...options, name: type, registers: [theirs] });
      reference.inc(labels, 0);
      for (const amount of type === "Gauge" ? [3, -2, 5] : [3, 2]) {
        add.add(amount);
        reference.inc(labels, amount);
        expect(await ours.metrics()).toBe(await theirs.metrics());
        expect(await ours.metrics()).toBe(await theirs.metrics());
      }
    }
  });

  it("has the same text as histograms of prom-client", async () => {
    const [ours, theirs] = [new prom.Registry(), new prom.Registry()];
    const options = { name: "time_seconds", help: "Help." };
    const buckets = [0.001, 0.5, 1];
    const observed = timings({ ...options, registers: [ours] }, buckets)(labels);
    const reference = new prom.Histogram({ ...options, labelNames: ["controller"], buckets, registers: [theirs] });
    reference.zero(labels);
    expect(await ours.metrics()).toBe(await theirs.metrics());
    for (const seconds of [0.0001, 0.001, 0.25, 0.5, 0.75, 1, 7]) {
      observed.observe(seconds);
      reference.observe(labels, seconds);
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });
});
