import type { KubernetesObject } from "../../api/index.ts";
import { type FieldDifference, fieldDifferences, type PathStep } from "../../json/field-path.ts";
import { touched } from "../world/touch.ts";

/**
 * Finds the fields of an object that are gone. A list counts as a whole, except for conditions.
 *
 * @param before - the object before
 * @param after - the object after, in the same version
 */
export function lostFields(before: unknown, after: unknown, path: readonly PathStep[]): FieldDifference[] {
  return fieldDifferences(before, after, path).filter(
    ({ steps, before: had, after: has }) =>
      had !== undefined && had !== null && has === undefined && !steps.some((step) => typeof step === "number"),
  );
}

/** The part of an object that a user writes: everything but metadata and status. */
export function contentOf(object: KubernetesObject): Record<string, unknown> {
  const {
    metadata: _metadata,
    status: _status,
    apiVersion: _,
    kind: _kind,
    ...content
  } = object as KubernetesObject & {
    status?: unknown;
  };
  return content;
}

/** A label, an annotation or a finalizer. */
export interface MetadataKey {
  readonly steps: readonly [string, string, string];
  readonly value: unknown;
}

/** Returns the labels, annotations and finalizers of an object, by their paths. */
export function metadataKeys({ metadata }: KubernetesObject): Map<string, MetadataKey> {
  const keys = new Map<string, MetadataKey>();
  const add = (field: string, name: string, value: unknown): void => {
    if (name !== touched) keys.set(`${field} ${name}`, { steps: ["metadata", field, name], value });
  };
  for (const field of ["labels", "annotations"] as const) {
    for (const [name, value] of Object.entries(metadata?.[field] ?? {})) add(field, name, value);
  }
  for (const name of metadata?.finalizers ?? []) add("finalizers", name, name);
  return keys;
}
