import { changeEntries } from "./changes.ts";
import type { DiagnosticDefinition } from "./entry.ts";
import { accessEntries, lintEntries, permissionEntries, refusedEntries } from "./lints.ts";
import { markerEntries } from "./markers.ts";
import { outputEntries, sourceEntries } from "./sources.ts";
import { typeEntries } from "./types.ts";

export type { DiagnosticDefinition } from "./entry.ts";

const sections = {
  sourceEntries,
  outputEntries,
  markerEntries,
  typeEntries,
  refusedEntries,
  lintEntries,
  accessEntries,
  permissionEntries,
  changeEntries,
} as const;

/** The sections of the reference: titles and entries. */
export const definitionSections: readonly (readonly [title: string, Readonly<Record<string, DiagnosticDefinition>>])[] =
  [
    ["Files and options", sections.sourceEntries],
    ["Existing files in the output directory", sections.outputEntries],
    ["Markers", sections.markerEntries],
    ["Types, kinds and versions", sections.typeEntries],
    ["Rejected by the API server", sections.refusedEntries],
    ["Settings without the intended effect", sections.lintEntries],
    ["Roles and webhooks", sections.accessEntries],
    ["Permissions and code (`rbac:verify=true`)", sections.permissionEntries],
    ["Incompatible changes (`--check --against`)", sections.changeEntries],
  ];

type Section = (typeof sections)[keyof typeof sections];

/** The id of a diagnostic. Ids are never renamed, because users configure diagnostics by id. */
export type DiagnosticId = Section extends infer Each ? (Each extends unknown ? keyof Each & string : never) : never;

/** All diagnostics. To add one, add an entry to a file in this folder, and update `docs/reference/diagnostics.md`. */
export const definitions: Readonly<Record<DiagnosticId, DiagnosticDefinition>> = Object.freeze({
  ...sourceEntries,
  ...outputEntries,
  ...markerEntries,
  ...typeEntries,
  ...refusedEntries,
  ...lintEntries,
  ...accessEntries,
  ...permissionEntries,
  ...changeEntries,
});

/** Whether a diagnostic with this id exists. */
export function isDiagnosticId(id: string): id is DiagnosticId {
  return Object.hasOwn(definitions, id);
}
