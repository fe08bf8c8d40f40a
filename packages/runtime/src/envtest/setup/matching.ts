import type { Selector } from "./versions.ts";

/** The releases that a command selects: versions, system and processor. `*` matches all systems or processors. */
export interface Wanted {
  selector: Selector;
  os: string;
  arch: string;
}

export function isWanted(
  { selector, os, arch }: Wanted,
  release: { version: string; os: string; arch: string },
): boolean {
  return selector.matches(release.version) && [release.os, "*"].includes(os) && [release.arch, "*"].includes(arch);
}

/** Formats a line about a release. */
export function releaseLine(state: string, release: { version: string; os: string; arch: string }): string {
  return `(${state})  v${release.version}  ${release.os}/${release.arch}`;
}
