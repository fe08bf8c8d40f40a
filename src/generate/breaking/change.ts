import type { changeEntries } from "../../diagnostics/definitions/changes.ts";

/** The kinds of incompatible changes: ids of diagnostics. */
export type ChangeClass = keyof typeof changeEntries;

/** An incompatible change: something that was accepted, stored or required before no longer is. */
export interface BreakingChange {
  readonly id: ChangeClass;
  /** In the form of `metadata.name`: `things.example.com`. */
  readonly crd: string;
  /** Absent if the change concerns all versions. */
  readonly version?: string;
  /** Such as `.spec.containers[*].name`; absent if the change doesn't concern a field. */
  readonly field?: string;
  /** A sentence without the version and field. */
  readonly message: string;
}

/** A change of a field within a schema. */
export type SchemaChange = Pick<BreakingChange, "id" | "message"> & { readonly field: string };

/** Serializes a value as JSON; equal values have the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
