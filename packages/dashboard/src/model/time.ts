const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Returns a duration as kubectl prints ages: the largest unit, such as `45s`, `12m`, `3h` or `5d`.
 *
 * @param milliseconds - negative durations count as zero, because clocks of server and browser differ
 */
export function formatAge(milliseconds: number): string {
  const time = Math.max(0, milliseconds);
  if (Number.isNaN(time)) return "";
  if (time < 2 * minute) return `${Math.floor(time / second)}s`;
  if (time < 2 * hour) return `${Math.floor(time / minute)}m`;
  if (time < 2 * day) return `${Math.floor(time / hour)}h`;
  return `${Math.floor(time / day)}d`;
}

/** Returns a short duration with its unit, such as `0.4 ms`, `12 ms`, `3.4 s` or `5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10 && !Number.isInteger(milliseconds)) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < second) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < minute) {
    const seconds = milliseconds / second;
    return `${seconds < 10 && seconds % 1 >= 0.05 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  }
  if (milliseconds < 2 * hour) return `${Math.round(milliseconds / minute)} min`;
  return `${Math.round(milliseconds / hour)} h`;
}

/** Returns the local time of day with milliseconds; the text itself if it isn't a time. */
export function formatClock(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

/** Returns the time until a moment, such as `in 3.2 s`; `now` if it has passed. */
export function formatUntil(time: string, now: number): string {
  const left = Date.parse(time) - now;
  return Number.isNaN(left) || left <= 0 ? "now" : `in ${formatDuration(left)}`;
}
