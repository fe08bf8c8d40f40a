import type { Kind } from "../../api/kind.ts";

const customPath = "^((/[a-zA-Z0-9-_]+)+|/)$";
const customPathPattern = new RegExp(customPath);

/** Path of all conversions. */
export const conversionPath = "/convert";

/**
 * Returns the default path of a kind's defaulter, such as `/mutate-apps-example-com-v1-game`, or `/mutate--v1-pod` in
 * the core group.
 */
export function mutatePath(kind: Kind): string {
  return `/mutate-${suffix(kind)}`;
}

/** Returns the default path of a kind's validator, such as `/validate-apps-example-com-v1-game`. */
export function validatePath(kind: Kind): string {
  return `/validate-${suffix(kind)}`;
}

/** Returns a custom path. Throws an `Error` if it isn't valid. */
export function checkCustomPath(path: string): string {
  if (!customPathPattern.test(path)) throw new Error(`customPath "${path}" does not match this regex: ${customPath}`);
  return path;
}

function suffix({ group, version, kind }: Kind): string {
  return `${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}
