/** Returns the time of day on this computer, such as `09:05:00`; the text itself if it isn't a time. */
export function clock(time: string): string {
  return preciseClock(time).replace(/\.\d{3}$/, "");
}

/** Returns the time of day on this computer with milliseconds; the text itself if it isn't a time. */
export function preciseClock(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}
