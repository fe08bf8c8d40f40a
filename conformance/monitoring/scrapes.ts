// Scraped samples as the input of promtool's tests.

/** A sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of a target at a time. */
export interface Scrape {
  /** In milliseconds. */
  readonly time: number;
  readonly samples: readonly Sample[];
}

/** A series of promtool. */
export interface InputSeries {
  readonly series: string;
  readonly values: string;
}

/** Reads the text format of Prometheus, and adds the labels of the target. */
export function samplesOf(text: string, target: Readonly<Record<string, string>>): Sample[] {
  return text.split("\n").flatMap((line): Sample[] => {
    const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === "") return [];
    const own = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [label, text]);
    return [
      { name, labels: { ...Object.fromEntries(own), ...target }, value: Number(value.replace("Inf", "Infinity")) },
    ];
  });
}

/**
 * Continues series as they changed between two scrapes.
 *
 * @param count - the number of values after the first one, one per half minute
 */
export function continued(first: Scrape, second: Scrape, count: number): InputSeries[] {
  const before = new Map(first.samples.map((sample) => [seriesOf(sample), sample.value]));
  const intervals = Math.max(1, second.time - first.time) / 30_000;
  return second.samples
    .filter(({ value }) => Number.isFinite(value))
    .map((sample) => {
      const series = seriesOf(sample);
      const from = before.get(series);
      const step = from === undefined ? 0 : (sample.value - from) / intervals;
      // A series that began later has no values at first.
      const values =
        from === undefined
          ? `_x9 ${sample.value}x${count - 10}`
          : `${from}${step < 0 ? "-" : "+"}${Math.abs(step)}x${count}`;
      return { series, values };
    });
}

function seriesOf({ name, labels }: Sample): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(",")}}`;
}
