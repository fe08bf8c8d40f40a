import { KUBERNETES_VERSION } from "../../api/index.ts";
import { compareVersions } from "../store.ts";

/** The release that the core types are from, without the leading `v`: the one that can be built from Go modules. */
export const PINNED_VERSION: string = KUBERNETES_VERSION.replace(/^v/, "");

/** Which versions are wanted. */
export interface Selector {
  /** As it is shown in messages. */
  readonly text: string;
  /** Ask the index even when a matching release is installed. */
  readonly newest: boolean;
  /** Never ask the index. */
  readonly onDisk: boolean;
  matches(version: string): boolean;
}

/**
 * Reads a version expression: `1.36.3`, `1.36`, `1.36.x`, `1.36.*`, `~1.36.1` (the same minor, at least that patch), `<1.36`,
 * `<=1.36`, `latest`, `latest-on-disk`; a `!` at the end asks the index in any case. Without one: the minor release that
 * the core types are from. Gives `undefined` where the text is none of these.
 */
export function parseSelector(text: string | undefined): Selector | undefined {
  const any = { onDisk: false, newest: false };
  if (text === undefined) {
    const [major, minor] = PINNED_VERSION.split(".");
    return parseSelector(`${major}.${minor}.x`);
  }
  if (text === "latest") return { ...any, newest: true, text, matches: () => true };
  if (text === "latest-on-disk") return { ...any, onDisk: true, text, matches: () => true };
  const found = /^(~|<=|<)?v?(\d+)\.(\d+)(?:\.(\d+|x|\*))?(!)?$/.exec(text);
  if (!found) return undefined;
  const [, operator, major, minor, patchText, newest] = found;
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
