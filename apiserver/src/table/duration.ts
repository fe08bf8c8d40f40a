const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * Formats an age as kubectl prints it: two units while the first is small.
 *
 * @param milliseconds - the age
 * @returns for example `5s`, `3m20s`, `2d4h`, `3y40d`; `<invalid>` for times in the future
 */
export function humanDuration(milliseconds: number): string {
  if (milliseconds < -2 * second) return "<invalid>";
  if (milliseconds < 0) return "0s";
  const of = (unit: number): number => Math.floor(milliseconds / unit);
  const two = (unit: number, name: string, rest: number, restName: string): string => {
    const amount = of(unit);
    const remainder = Math.floor((milliseconds - amount * unit) / rest);
    return remainder === 0 ? `${amount}${name}` : `${amount}${name}${remainder}${restName}`;
  };
  if (of(second) < 120) return `${of(second)}s`;
  if (of(minute) < 10) return two(minute, "m", second, "s");
  if (of(minute) < 180) return `${of(minute)}m`;
  if (of(hour) < 8) return two(hour, "h", minute, "m");
  if (of(hour) < 48) return `${of(hour)}h`;
  if (of(hour) < 24 * 8) return two(day, "d", hour, "h");
  if (of(hour) < 24 * 365 * 2) return `${of(day)}d`;
  if (of(hour) < 24 * 365 * 8) return two(year, "y", day, "d");
  return `${of(year)}y`;
}
