import type { Severity } from "./entry.ts";
import { accessEntries, refusedEntries } from "./lints.ts";

/** Levels with which the generator writes the same as controller-gen, even if the API server rejects it. Used to compare both. */
export const asControllerGen: Readonly<Record<string, Severity | "off">> = Object.fromEntries(
  Object.keys({ ...refusedEntries, ...accessEntries }).map((id) => [id, "off"]),
);

/** Levels with which such documents are written with a warning. */
export const refusedIsWarning: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.keys(refusedEntries).map((id) => [id, "warning"]),
);
