import type { KubernetesObject } from "../../api/index.ts";

/** A label or a finalizer. */
export interface Mark {
  readonly field: "labels" | "finalizers";
  readonly name: string;
}

/** Returns the value of a label, or the name of a finalizer. Undefined if the object doesn't have it. */
export function markOf({ metadata }: KubernetesObject, { field, name }: Mark): string | undefined {
  if (field === "labels") return metadata?.labels?.[name];
  return metadata?.finalizers?.find((finalizer) => finalizer === name);
}

/**
 * Returns the metadata of a merge patch that sets or removes a mark.
 *
 * @param object - the object
 * @param mark - the mark
 * @param value - its value; undefined removes it
 */
export function withMark(object: KubernetesObject, { field, name }: Mark, value: string | undefined): object {
  if (field === "labels") return { labels: { [name]: value ?? null } };
  const others = (object.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== name);
  return { finalizers: value === undefined ? others : [...others, name] };
}
