import type { Severity } from "./entry.ts";
import { accessEntries, refusedEntries } from "./lints.ts";

/** Levels under which the generator writes what controller-gen writes, also where the API server refuses it. For comparisons with it. */
export const asControllerGen = levels({ ...refusedEntries, ...accessEntries }, "off");

/** Levels under which it warns of that. */
export const refusedIsWarning = levels(refusedEntries, "warning");

function levels<L extends Severity | "off">(entries: object, level: L): Readonly<Record<string, L>> {
  return Object.fromEntries(Object.keys(entries).map((id) => [id, level]));
}
