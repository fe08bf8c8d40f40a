import { compareVersions } from "./store.ts";

/** The releases that can be built from Go modules with locked checksums, newest first: one per minor version. */
export const BUILDABLE_VERSIONS: readonly string[] = ["1.37.2", "1.36.3"];

/** The release whose minor version is used if none is requested: that of the embedded API server. */
export const DEFAULT_VERSION = "1.37.2";

/** Returns the minor version of a release: `1.36` for `1.36.3`. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** A set of versions. */
export interface Selector {
  /** The expression, for messages. */
  readonly text: string;
  /** Whether to query the index even if a matching release is installed. */
  readonly newest: boolean;
  /** Whether to use only installed releases. */
  readonly onDisk: boolean;
  matches(version: string): boolean;
}

/**
 * Parses a version expression: `1.36.3`, `1.36`, `1.36.x`, `1.36.*`, `~1.36.1` (the same minor, at least that patch),
 * `<1.36`, `<=1.36`, `latest`, `latest-on-disk`. A trailing `!` always queries the index. Without an expression, selects the
 * minor version of the default release. Returns `undefined` for an invalid expression.
 */
export function parseSelector(text: string | undefined): Selector | undefined {
  const any = { onDisk: false, newest: false };
  if (text === undefined) return parseSelector(`${minorOf(DEFAULT_VERSION)}.x`);
  if (text === "latest") return { ...any, newest: true, text, matches: () => true };
  if (text === "latest-on-disk") return { ...any, onDisk: true, text, matches: () => true };
  const match = /^(~|<=|<)?v?(\d+)\.(\d+)(?:\.(\d+|x|\*))?(!)?$/.exec(text);
  if (!match) return undefined;
  const [, operator, major, minor, patchText, newest] = match;
  const wildcard = patchText === undefined || patchText === "x" || patchText === "*";
  const from = `${major}.${minor}.${wildcard ? 0 : patchText}`;
  const sameMinor = (version: string): boolean => version.startsWith(`${major}.${minor}.`);
  const matches = (version: string): boolean => {
    const order = compareVersions(version, from);
    if (operator === "<") return order < 0;
    if (operator === "<=") return order <= 0 || (wildcard && sameMinor(version));
    if (operator === "~") return sameMinor(version) && order >= 0;
    return wildcard ? sameMinor(version) : order === 0;
  };
  return { onDisk: false, newest: newest !== undefined, text, matches };
}
