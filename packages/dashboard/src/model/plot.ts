/** Returns the value that a share of the values doesn't exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

/** A bar in a plot. The origin is the upper left corner. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly value: number;
}

/**
 * Returns the bars of values, from left to right. Values that aren't zero have a height of at least one pixel.
 *
 * @param slots - number of places; the values fill the last ones
 */
export function bars(values: readonly number[], slots: number, width: number, height: number): Bar[] {
  const shown = values.slice(-slots);
  const top = Math.max(1, ...shown);
  const step = width / slots;
  const first = slots - shown.length;
  return shown.map((value, index) => {
    const size = value <= 0 ? 0 : Math.max(1, (value / top) * height);
    return { x: (first + index) * step, y: height - size, width: Math.max(1, step - 1), height: size, value };
  });
}
