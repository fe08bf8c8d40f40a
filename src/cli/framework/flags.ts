import { unknownValue } from "../../project/unknown-value.ts";
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

/** Whether a boolean flag was given, and isn't false. */
export function isOn(options: Readonly<Record<string, unknown>>, name: string): boolean {
  return options[name] !== undefined && options[name] !== false;
}

/**
 * Returns a value of a closed list.
 *
 * @param what the flag or argument that has the value
 * @param otherwise the hint if no value of the list is similar
 * @throws CliError for any other value
 */
export function oneOf<T extends string>(what: string, value: string, allowed: readonly T[], otherwise?: string): T {
  const choice = allowed.find((each) => each === value);
  if (choice !== undefined) return choice;
  const { message, hint = otherwise } = unknownValue(what, value, allowed);
  throw usageError(message, hint);
}

/**
 * Returns the string value of a flag, or undefined if it was not given.
 *
 * @throws CliError if the value is missing or looks like a flag
 */
export function textFlag(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const flag = flagOf(name);
  if (typeof value !== "string") throw usageError(`${flag} needs a value`);
  if (value.startsWith("-")) throw usageError(`${flag} needs a value, and ${shown(value)} looks like a flag`);
  return value;
}

/** Returns a flag by its name in camelCase. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
