/** The longest duration that Go has, in milliseconds: 2^63 nanoseconds, about 292 years. */
const longest = 2 ** 63 / 1e6;

/**
 * Formats an age as kubectl's columns do.
 *
 * @param milliseconds - the age; negative for times in the future
 * @returns for example `5s`, `3m20s`, `2d3h`
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(Math.min(milliseconds, longest) / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return withRest(days, "d", hours % 24, "h");
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return hours < 24 * 365 * 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

function withRest(value: number, unit: string, rest: number, unitOfRest: string): string {
  return rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${unitOfRest}`;
}
