import { tryParseDuration } from "@kubewright/cel/duration";

/** Nanoseconds: Go's durations have 64 bits. */
const longest = 2n ** 63n - 1n;

/**
 * Parses a duration of the API, such as `1h30m` or `1.5s`.
 *
 * @param text - a field of type `Duration`
 * @returns the duration in milliseconds
 * @throws TypeError if Go's `time.ParseDuration` would reject the text
 *
 * @example
 * const requeueAfter = parseDuration(game.spec.interval ?? "30s");
 */
export function parseDuration(text: string): number {
  const nanoseconds = tryParseDuration(text);
  if (nanoseconds === undefined) {
    const example = "numbers with units (ns, us, ms, s, m, h), such as 1h30m";
    throw new TypeError(`invalid duration ${JSON.stringify(text)}: it must be ${example}`);
  }
  return Number(nanoseconds) / 1e6;
}

/**
 * Formats a duration for the API.
 *
 * @param milliseconds - the duration in milliseconds; fractions count up to nanoseconds
 * @returns text such as `1h30m0s`
 * @throws TypeError if the number isn't finite, or too large for Go's durations (about 292 years)
 *
 * @example
 * formatDuration(5_400_000); // "1h30m0s"
 */
export function formatDuration(milliseconds: number): string {
  const nanoseconds = Number.isFinite(milliseconds) ? BigInt(Math.round(Math.abs(milliseconds) * 1e6)) : longest + 1n;
  if (nanoseconds > longest)
    throw new TypeError(
      `invalid duration ${milliseconds}: it must be a finite number of milliseconds, at most 292 years`,
    );
  const sign = milliseconds < 0 && nanoseconds > 0n ? "-" : "";
  if (nanoseconds === 0n) return "0s";
  if (nanoseconds < 1_000n) return `${sign}${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${sign}${decimal(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${sign}${decimal(nanoseconds, 1_000_000n)}ms`;
  const hours = nanoseconds / 3_600_000_000_000n;
  const minutes = (nanoseconds / 60_000_000_000n) % 60n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = String(value % unit)
    .padStart(String(unit).length - 1, "0")
    .replace(/(?<!0)0+$/, "");
  return fraction === "" ? String(value / unit) : `${value / unit}.${fraction}`;
}
