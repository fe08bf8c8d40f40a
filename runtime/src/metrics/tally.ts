import type { Registry } from "prom-client";
import { boundText } from "./buckets.ts";
import type { Prom } from "./prom.ts";

// prom-client finds a series by the text of its labels, each time: dearer than all else that a queue does with an item. What is
// counted for each reconcile is counted in plain numbers here, and handed over when somebody reads the metrics.

type Labels = Readonly<Record<string, string>>;

/** A number that goes up, or up and down. */
export interface Tally {
  add(amount: number): void;
}

/** Seconds, or bytes, that were measured. */
export interface Timings {
  observe(value: number): void;
}

interface Options {
  name: string;
  help: string;
  labelNames: readonly string[];
  registers: Registry[];
}

/** Makes a counter or gauge; gives a function that makes its series, which begin with 0. */
export function tallies(prom: Prom, type: "Counter" | "Gauge", options: Options): (labels: Labels) => Tally {
  const series: { labels: Labels; value: number; handed: number }[] = [];
  new prom[type]({
    ...options,
    collect() {
      for (const each of series) {
        this.inc(each.labels, each.value - each.handed);
        each.handed = each.value;
      }
    },
  });
  return (labels) => {
    const each = { labels, value: 0, handed: 0 };
    series.push(each);
    return {
      add(amount) {
        each.value += amount;
      },
    };
  };
}

interface Distribution {
  labels: Labels;
  /** How many fell into each bucket, and none of those below; the last is for what is beyond all. */
  counts: number[];
  sum: number;
}

/** As {@link tallies}, for a histogram with the given upper bounds, in ascending order. */
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
      for (const each of series) Object.assign(each, { sum: 0, counts: each.counts.map(() => 0) });
    },
    get: async () => ({
      name,
      help,
      type: "histogram",
      aggregator: "sum",
      values: series.flatMap((each) => valuesOf(name, buckets, each)),
    }),
  };
  // The registry asks no more of a metric than this.
  for (const register of registers) register.registerMetric(metric as never);
  return (labels) => {
    const each: Distribution = { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
    series.push(each);
    return {
      observe(value) {
        let bucket = 0;
        while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
        each.counts[bucket]!++;
        each.sum += value;
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

/** The series of a histogram whose labels aren't known before: each is made when it is first observed. */
export function byLabels(
  labelNames: readonly string[],
  make: (labels: Labels) => Timings,
): (...values: string[]) => Timings {
  const known = new Map<string, Timings>();
  return (...values) => {
    const key = JSON.stringify(values);
    const found = known.get(key) ?? make(Object.fromEntries(labelNames.map((name, at) => [name, values[at]!])));
    known.set(key, found);
    return found;
  };
}
