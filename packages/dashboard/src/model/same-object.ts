import type { ObjectRef } from "../protocol/protocol.ts";

/**
 * Returns whether two references mean the same object. Versions of a group serve the same objects. The record of a
 * controller without a kind has no version.
 */
export function isSameObject(one: ObjectRef, other: ObjectRef): boolean {
  return isSameKind(one, other) && one.name === other.name && (one.namespace ?? "") === (other.namespace ?? "");
}

/** Returns whether two kinds are the same, except for their versions. */
export function isSameKind(
  one: Pick<ObjectRef, "apiVersion" | "kind">,
  other: Pick<ObjectRef, "apiVersion" | "kind">,
): boolean {
  if (one.kind !== other.kind) return false;
  return !one.apiVersion || !other.apiVersion || groupOf(one.apiVersion) === groupOf(other.apiVersion);
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
