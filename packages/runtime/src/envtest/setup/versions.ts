import { KUBERNETES_VERSION } from "../../api/index.ts";
import { compareVersions } from "./store.ts";

/** Kubernetes version of the core types, without the leading `v`. Only this release can be built from Go modules. */
export const PINNED_VERSION: string = KUBERNETES_VERSION.replace(/^v/, "");

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
 * minor release of the core types. Returns `undefined` for an invalid expression.
 */
export function parseSelector(text: string | undefined): Selector | undefined {
  const any = { onDisk: false, newest: false };
  if (text === undefined) {
    const [major, minor] = PINNED_VERSION.split(".");
    return parseSelector(`${major}.${minor}.x`);
  }
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
