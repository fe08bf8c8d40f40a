import { shown } from "../project/names.ts";
import { usageError } from "./errors.ts";

/** Parses the value of a switch that may be given one, as `--controller=false`. */
export function switchValue(flag: string): (value: string) => boolean {
  return (value) => {
    if (/^(true|t|1|yes|y)$/i.test(value)) return true;
    if (/^(false|f|0|no|n)$/i.test(value)) return false;
    throw usageError(`${flag}=${shown(value)} is neither true nor false`);
  };
}

/** The text value of a flag, or undefined when it was not given. A value that looks like a flag was forgotten. */
export function textFlag(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value !== "string") throw usageError(`${flag} needs a value`);
  if (value.startsWith("-")) throw usageError(`${flag} needs a value, and ${shown(value)} looks like a flag`);
  return value;
}
