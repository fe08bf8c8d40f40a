import { shown } from "../../text/shown.ts";
import { usageError } from "./errors.ts";

/** Returns a parser for the optional value of a boolean flag, such as `--controller=false`. */
export function switchValue(flag: string): (value: string) => boolean {
  return (value) => {
    if (/^(true|t|1|yes|y)$/i.test(value)) return true;
    if (/^(false|f|0|no|n)$/i.test(value)) return false;
    throw usageError(`${flag}=${shown(value)} must be true or false`);
  };
}

/**
 * Returns the string value of a flag, or undefined if it was not given.
 *
 * @throws CliError if the value is missing or looks like a flag
 */
export function textFlag(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value !== "string") throw usageError(`${flag} needs a value`);
  if (value.startsWith("-")) throw usageError(`${flag} needs a value, and ${shown(value)} looks like a flag`);
  return value;
}
