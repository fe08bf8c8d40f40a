import { parseDuration as parseGoDuration } from "../json/duration.ts";

/** Returns the milliseconds of a Go duration such as `20s` or `1m30s`, or `undefined` if it is invalid or negative. */
export function parseDuration(text: string): number | undefined {
  try {
    const milliseconds = parseGoDuration(text);
    return milliseconds < 0 ? undefined : milliseconds;
  } catch {
    return undefined;
  }
}

/**
 * Returns the milliseconds of a duration in an environment variable, or the fallback if it is unset. Throws if the value is
 * invalid.
 */
export function durationFromEnv(name: string, fallback: number, env: NodeJS.ProcessEnv = process.env): number {
  const text = env[name];
  if (!text) return fallback;
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new Error(`${name}=${text}: not a duration such as 20s or 1m30s`);
  return milliseconds;
}
