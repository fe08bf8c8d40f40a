import { changeEntries } from "./changes.ts";
import type { DiagnosticDefinition } from "./entry.ts";
import { accessEntries, kstatusEntries, lintEntries, permissionEntries, refusedEntries } from "./lints.ts";
import { markerEntries } from "./markers.ts";
import { outputEntries, sourceEntries } from "./sources.ts";
import { typeEntries } from "./types.ts";

export type { DiagnosticDefinition } from "./entry.ts";

const sections = {
  "Files and options": sourceEntries,
  "Existing files in the output directory": outputEntries,
  Markers: markerEntries,
  "Types, kinds and versions": typeEntries,
  "Rejected by the API server": refusedEntries,
  "Settings without the intended effect": lintEntries,
  "States of objects": kstatusEntries,
  "Roles and webhooks": accessEntries,
  "Permissions and code (`rbac:verify=true`)": permissionEntries,
  "Incompatible changes (`--check --against`)": changeEntries,
} as const;

/** The sections of the reference: titles and entries. */
export const definitionSections = Object.entries<Readonly<Record<string, DiagnosticDefinition>>>(sections);

type Section = (typeof sections)[keyof typeof sections];

/** The id of a diagnostic. Ids are never renamed, because users configure diagnostics by id. */
export type DiagnosticId = Section extends infer Each ? (Each extends unknown ? keyof Each & string : never) : never;

/** All diagnostics. To add one, add an entry to a file in this folder, and update `docs/reference/diagnostics.md`. */
export const definitions: Readonly<Record<DiagnosticId, DiagnosticDefinition>> = Object.freeze(
  Object.assign({}, ...Object.values(sections)),
);

/** Whether a diagnostic with this id exists. */
export function isDiagnosticId(id: string): id is DiagnosticId {
  return Object.hasOwn(definitions, id);
}
