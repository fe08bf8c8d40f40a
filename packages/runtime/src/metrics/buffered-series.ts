import type { Registry } from "prom-client";
import { boundText } from "./buckets.ts";
import type { Prom } from "./prom.ts";

// prom-client searches a series by the text of its labels each time, which costs more than all other work of a queue.
// Metrics of reconciles are therefore counted in plain numbers, and passed to prom-client when the metrics are read.

type Labels = Readonly<Record<string, string>>;

/** A counter or gauge. */
export interface BufferedCounter {
  add(amount: number): void;
}

/** Collects measured seconds or bytes. */
export interface Timings {
  observe(value: number): void;
}

interface Options {
  name: string;
  help: string;
  labelNames: readonly string[];
  registers: Registry[];
}

/** Creates a counter or gauge. Returns a function that creates its series, which start with 0. */
export function bufferedCounters(
  prom: Prom,
  type: "Counter" | "Gauge",
  options: Options,
): (labels: Labels) => BufferedCounter {
  const series: { labels: Labels; value: number; handed: number }[] = [];
  new prom[type]({
    ...options,
    collect() {
      for (const item of series) {
        this.inc(item.labels, item.value - item.handed);
        item.handed = item.value;
      }
    },
  });
  return (labels) => {
    const counter = { labels, value: 0, handed: 0 };
    series.push(counter);
    return {
      add(amount) {
        counter.value += amount;
      },
    };
  };
}

interface Distribution {
  labels: Labels;
  /** Counts per bucket, not cumulative. The last one contains values above all bounds. */
  counts: number[];
  sum: number;
}

/** Creates a histogram with the given upper bounds in ascending order, like {@link bufferedCounters}. */
export function timings(
  { name, help, registers }: Omit<Options, "labelNames">,
  buckets: readonly number[],
): (labels: Labels) => Timings {
  const series: Distribution[] = [];
  const metric = {
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    reset: () => {
      for (const distribution of series)
        Object.assign(distribution, { sum: 0, counts: distribution.counts.map(() => 0) });
    },
    get: async () => ({
      name,
      help,
      type: "histogram",
      aggregator: "sum",
      values: series.flatMap((series) => valuesOf(name, buckets, series)),
    }),
  };
  // A registry requires nothing else of a metric.
  for (const register of registers) register.registerMetric(metric as never);
  return (labels) => {
    const distribution: Distribution = { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
    series.push(distribution);
    return {
      observe(value) {
        let bucket = 0;
        while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
        distribution.counts[bucket]!++;
        distribution.sum += value;
      },
    };
  };
}

function valuesOf(name: string, buckets: readonly number[], { labels, counts, sum }: Distribution): object[] {
  let count = 0;
  const values: object[] = counts.map((own, bucket) => {
    count += own;
    const bound = buckets[bucket];
    const le = bound === undefined ? "+Inf" : boundText(bound);
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  values.push({ metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count });
  return values;
}

/** Returns the series of labels that aren't known in advance. Each is created when it is first observed. */
export function byLabels(
  labelNames: readonly string[],
  make: (labels: Labels) => Timings,
): (...values: string[]) => Timings {
  const byKey = new Map<string, Timings>();
  return (...values) => {
    const key = JSON.stringify(values);
    const series = byKey.get(key) ?? make(Object.fromEntries(labelNames.map((name, at) => [name, values[at]!])));
    byKey.set(key, series);
    return series;
  };
}
