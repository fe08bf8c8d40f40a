// Series for the tests of alerts, with a sample each minute.
/** A series of a test, with a sample each minute in promtool's notation, such as `0+60x40`. */
export interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: (minutes: number) => string;
}

/** The upper bounds of the buckets of test histograms. */
const bounds = [0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** Samples that grow each minute. */
export const per = (step: number) => (minutes: number) => `0+${step}x${minutes}`;
/** Samples that stay the same. */
export const always = (value: number | string) => (minutes: number) => `${value}x${minutes}`;

/** Series of a histogram whose observations are all in one bucket. */
export function histogram(metric: string, labels: Readonly<Record<string, string>>, bucket: number): Series[] {
  return [
    ...bounds.map((bound) => ({ bound, le: String(bound) })),
    { bound: Number.POSITIVE_INFINITY, le: "+Inf" },
  ].map(({ bound, le }) => ({
    metric: `${metric}_bucket`,
    labels: { ...labels, le },
    values: per(bound >= bucket ? 60 : 0),
  }));
}

/** The bucket whose observations all exceed a limit, and one whose observations don't. */
export function bucketsAround(limit: number): { above: number; below: number } {
  const above = bounds.find((bound) => bound / 10 >= limit) ?? Number.POSITIVE_INFINITY;
  return { above, below: bounds.findLast((bound) => bound <= limit) ?? 0.001 };
}

/** Counters of which a share has a property. Both grow by a multiple of 60 per minute. */
export function shares(above: number): { most: number; few: number } {
  return { most: 600 * ((above + 1) / 2), few: 600 * (above / 2) };
}
