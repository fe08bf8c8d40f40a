import { findCause } from "./cause.ts";

/** Reports that the server doesn't serve a kind. Most often, its CustomResourceDefinition isn't installed. */
export class NoMatchError extends Error {
  /** Always `NoMatchError`. */
  override readonly name: string = "NoMatchError";
  /** API group of the kind. */
  readonly group: string;
  /** Version of the kind. */
  readonly version: string;
  /** Name of the kind. */
  readonly kind: string;

  /**
   * Creates an error.
   *
   * @param group - API group of the kind
   * @param version - version of the kind
   * @param kind - name of the kind
   */
  constructor(group: string, version: string, kind: string) {
    const apiVersion = group === "" ? version : `${group}/${version}`;
    const hint = group.includes(".") ? ": is its CustomResourceDefinition installed?" : "";
    super(`no matches for kind "${kind}" in version "${apiVersion}"${hint}`);
    this.group = group;
    this.version = version;
    this.kind = kind;
  }
}

/**
 * Returns whether an error, or one of its causes, is a {@link NoMatchError}.
 *
 * @param error - any thrown value
 * @returns whether the server doesn't serve the kind
 */
export function isNoMatch(error: unknown): boolean {
  return findCause(error, NoMatchError) !== undefined;
}
