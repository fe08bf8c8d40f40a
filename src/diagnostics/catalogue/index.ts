import { changeEntries } from "./changes.ts";
import type { CatalogueEntry } from "./entry.ts";
import { accessEntries, lintEntries, refusedEntries, rightEntries } from "./lints.ts";
import { markerEntries } from "./markers.ts";
import { outputEntries, sourceEntries } from "./sources.ts";
import { typeEntries } from "./types.ts";

export type { CatalogueEntry } from "./entry.ts";

const sections = {
  sourceEntries,
  outputEntries,
  markerEntries,
  typeEntries,
  refusedEntries,
  lintEntries,
  accessEntries,
  rightEntries,
  changeEntries,
} as const;

/** The headings of the reference, with what stands below them. */
export const catalogueSections: readonly (readonly [title: string, Readonly<Record<string, CatalogueEntry>>])[] = [
  ["Files and options", sections.sourceEntries],
  ["What is there already", sections.outputEntries],
  ["Markers", sections.markerEntries],
  ["Types, kinds and versions", sections.typeEntries],
  ["What the API server refuses", sections.refusedEntries],
  ["What has no effect, or not the one that was meant", sections.lintEntries],
  ["Roles and webhooks", sections.accessEntries],
  ["Rights and code (`rbac:verify=true`)", sections.rightEntries],
  ["Incompatible changes (`--check --against`)", sections.changeEntries],
];

type Section = (typeof sections)[keyof typeof sections];

/** Every id that a diagnostic can have. It is never renamed: users switch diagnostics by it. */
export type DiagnosticId = Section extends infer Each ? (Each extends unknown ? keyof Each & string : never) : never;

/** All diagnostics there are. A new one is a new entry in a file of this folder, and in `docs/reference/diagnostics.md`. */
export const catalogue: Readonly<Record<DiagnosticId, CatalogueEntry>> = Object.freeze({
  ...sourceEntries,
  ...outputEntries,
  ...markerEntries,
  ...typeEntries,
  ...refusedEntries,
  ...lintEntries,
  ...accessEntries,
  ...rightEntries,
  ...changeEntries,
});

/** Whether there is a diagnostic of this id. */
export function isDiagnosticId(id: string): id is DiagnosticId {
  return Object.hasOwn(catalogue, id);
}
