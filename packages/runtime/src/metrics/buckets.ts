// Dashboards aggregate histograms of operators in both languages by the text of `le`, so the bounds equal those of Go's
// client exactly.

/**
 * Bounds from 10 ns to 1000 s, each ten times the previous one. They are multiplied step by step, as in Go, because of
 * rounding errors.
 */
export const tenfoldSeconds: readonly number[] = exponential(10e-9, 10, 12);

function exponential(start: number, factor: number, count: number): number[] {
  const bounds = [start];
  while (bounds.length < count) bounds.push(bounds.at(-1)! * factor);
  return bounds;
}

/** Formats a bound like Go: `1e-06` instead of `0.000001`, `1.048576e+06` instead of `1048576`. */
export function boundText(bound: number): string {
  const [digits, power] = bound.toExponential().split("e") as [string, string];
  const exponent = Number(power);
  if (bound === 0 || (exponent >= -4 && exponent < 6)) return String(bound);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
