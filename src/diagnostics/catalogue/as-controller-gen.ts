import type { Severity } from "./entry.ts";
import { accessEntries, refusedEntries } from "./lints.ts";

/** Levels under which the generator writes what controller-gen writes, also where the API server refuses it. For comparisons with it. */
export const asControllerGen: Readonly<Record<string, Severity | "off">> = Object.fromEntries(
  Object.keys({ ...refusedEntries, ...accessEntries }).map((id) => [id, "off"]),
);

/** Levels under which it warns of that. */
export const refusedIsWarning: Readonly<Record<string, Severity>> = Object.fromEntries(
  Object.keys(refusedEntries).map((id) => [id, "warning"]),
);
