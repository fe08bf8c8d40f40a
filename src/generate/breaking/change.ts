import type { changeEntries } from "../../diagnostics/catalogue/changes.ts";

/** The classes of incompatible changes: ids of diagnostics. */
export type ChangeClass = keyof typeof changeEntries;

/** An incompatible change: what was accepted, stored or asked for before is so no more. */
export interface BreakingChange {
  readonly id: ChangeClass;
  /** Such as `example.com_things` has in `metadata.name`: `things.example.com`. */
  readonly crd: string;
  /** Absent where the change concerns all versions. */
  readonly version?: string;
  /** Such as `.spec.containers[*].name`; absent where it concerns no field. */
  readonly field?: string;
  /** A sentence without the place. */
  readonly message: string;
}

/** A change within a schema, told by the field. */
export type SchemaChange = Pick<BreakingChange, "id" | "message"> & { readonly field: string };

/** A JSON text that is the same for equal values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
