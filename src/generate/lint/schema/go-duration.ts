const pattern = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** Nanoseconds per unit. */
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
/** Nanoseconds: Go's durations have 64 bits. */
const longest = 2n ** 63n - 1n;

/** Returns whether Go's `time.ParseDuration` accepts a string. A test checks that the runtime's `parseDuration` agrees. */
export function isGoDuration(text: string): boolean {
  if (!pattern.test(text)) return false;
  let nanoseconds = 0n;
  for (const [, whole = "", decimals = "", unit = ""] of text
    .replace(/^[+-]/, "")
    .matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy)) {
    const scale = units[unit] ?? 0n;
    // Longer numbers don't fit 64 bits.
    if (whole.replace(/^0+/, "").length > 19) return false;
    const fraction = decimals.slice(0, 18);
    nanoseconds += BigInt(whole || 0) * scale + (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
  }
  return nanoseconds <= longest;
}
