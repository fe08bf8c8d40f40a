import { findCause } from "./cause.ts";

/** The server has no resource for a kind: most often a CustomResourceDefinition that isn't installed. */
export class NoMatchError extends Error {
  override readonly name: string = "NoMatchError";
  readonly group: string;
  readonly version: string;
  readonly kind: string;

  constructor(group: string, version: string, kind: string) {
    const apiVersion = group === "" ? version : `${group}/${version}`;
    const hint = group.includes(".") ? ": is its CustomResourceDefinition installed?" : "";
    super(`no matches for kind "${kind}" in version "${apiVersion}"${hint}`);
    this.group = group;
    this.version = version;
    this.kind = kind;
  }
}

/** Whether the server has no resource for the kind. Follows `cause`. */
export function isNoMatch(error: unknown): boolean {
  return findCause(error, NoMatchError) !== undefined;
}
