const units: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};
const durationPattern = /^(?:0|(?:\d+y)?(?:\d+w)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?)$/;

/** Returns a duration of Prometheus, such as `1h30m`, in seconds; undefined if it isn't one. */
export function secondsOf(duration: string): number | undefined {
  if (duration === "" || !durationPattern.test(duration)) return undefined;
  const counts = duration.split(/[a-z]+/);
  const names = duration.split(/\d+/).slice(1);
  return names.reduce((sum, name, index) => sum + Number(counts[index]) * (units[name] ?? 0), 0);
}
