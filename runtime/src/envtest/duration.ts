const unit: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a Go duration such as `20s` or `1m30s`; `undefined` where it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, name] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    sum += Number(amount) * (unit[name ?? ""] ?? 0);
  }
  return sum;
}

/** Milliseconds of a duration in an environment variable, or else the fallback. Throws where the value is no duration. */
export function durationFromEnv(name: string, fallback: number, env: NodeJS.ProcessEnv = process.env): number {
  const text = env[name];
  if (!text) return fallback;
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new Error(`${name}=${text}: not a duration such as 20s or 1m30s`);
  return milliseconds;
}
