import { tryParseDuration } from "@kubewright/cel/duration";
import { shown } from "../../text/shown.ts";
import { usageError } from "./errors.ts";
import { flagOf, textFlag } from "./flags.ts";

/**
 * Returns the duration of a flag in milliseconds, or undefined if it was not given.
 *
 * @param examples two durations for the error of an invalid one
 * @throws CliError if the value isn't a duration
 */
export function durationFlag(
  options: Readonly<Record<string, unknown>>,
  name: string,
  examples: string,
): number | undefined {
  const text = textFlag(options, name);
  if (text === undefined) return undefined;
  const milliseconds = Number(tryParseDuration(text) ?? 0n) / 1e6;
  if (milliseconds > 0) return milliseconds;
  throw usageError(`${flagOf(name)} ${shown(text)}: must be a duration, such as ${examples}`);
}
