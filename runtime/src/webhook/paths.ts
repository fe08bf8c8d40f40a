import type { Kind } from "../kind.ts";

const customPath = "^((/[a-zA-Z0-9-_]+)+|/)$";
const customPathPattern = new RegExp(customPath);

/** Where all conversions are served. */
export const conversionPath = "/convert";

/** The default path of a kind's defaulter, such as `/mutate-apps-example-com-v1-game`; `/mutate--v1-pod` in the core group. */
export function mutatePath(kind: Kind): string {
  return `/mutate-${suffix(kind)}`;
}

/** The default path of a kind's validator, such as `/validate-apps-example-com-v1-game`. */
export function validatePath(kind: Kind): string {
  return `/validate-${suffix(kind)}`;
}

/** Gives a path of the user's choice back; throws an `Error` when no webhook can be served there. */
export function checkCustomPath(path: string): string {
  if (!customPathPattern.test(path)) throw new Error(`customPath "${path}" does not match this regex: ${customPath}`);
  return path;
}

function suffix({ group, version, kind }: Kind): string {
  return `${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}
