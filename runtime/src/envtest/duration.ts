import { parseDuration as parseGoDuration } from "../json/duration.ts";

/** Milliseconds of a Go duration such as `20s` or `1m30s`; `undefined` where it is none or negative. */
export function parseDuration(text: string): number | undefined {
  try {
    const milliseconds = parseGoDuration(text);
    return milliseconds < 0 ? undefined : milliseconds;
  } catch {
    return undefined;
  }
}

/** Milliseconds of a duration in an environment variable, or else the fallback. Throws where the value is no duration. */
export function durationFromEnv(name: string, fallback: number, env: NodeJS.ProcessEnv = process.env): number {
  const text = env[name];
  if (!text) return fallback;
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new Error(`${name}=${text}: not a duration such as 20s or 1m30s`);
  return milliseconds;
}
