import type { Severity } from "./entry.ts";
import { accessEntries, refusedEntries } from "./lints.ts";

/** Levels with which the generator writes the same as controller-gen, even if the API server rejects it. Used to compare both. */
export const asControllerGen = levels({ ...refusedEntries, ...accessEntries }, "off");

/** Levels with which such documents are written with a warning. */
export const refusedIsWarning = levels({ ...refusedEntries, ...accessEntries }, "warning");

function levels<L extends Severity | "off">(entries: object, level: L): Readonly<Record<string, L>> {
  return Object.fromEntries(Object.keys(entries).map((id) => [id, level]));
}
