// Dashboards sum histograms of operators in both languages by the text of `le`: bounds are those of Go's client, digit for digit.

/** Bounds from 10 ns to 1000 s, each ten times the one before: multiplied step by step, as Go does, because the roundings show. */
export const tenfoldSeconds: readonly number[] = exponential(10e-9, 10, 12);

function exponential(start: number, factor: number, count: number): number[] {
  const bounds = [start];
  while (bounds.length < count) bounds.push(bounds.at(-1)! * factor);
  return bounds;
}

/** A bound as Go prints it: `1e-06` where JavaScript has `0.000001`, `1.048576e+06` where it has `1048576`. */
export function boundText(bound: number): string {
  const [digits, power] = bound.toExponential().split("e") as [string, string];
  const exponent = Number(power);
  if (bound === 0 || (exponent >= -4 && exponent < 6)) return String(bound);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
