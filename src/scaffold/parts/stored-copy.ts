import { versionsOf } from "../../project/entries.ts";
import { typesFile } from "../../project/paths.ts";
import { type Project, readProject } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { UndoTarget } from "../plan/undo-target.ts";
import { markStorageVersion, unmarkStorageVersion } from "../text/storage-version.ts";
import { originOf } from "./origin.ts";

/**
 * Marks the storage version in the pristine copies as if the remaining versions were scaffolded again: the hub of the
 * conversion, or the first of several versions. The user's files aren't changed, because clusters may contain objects of the
 * stored version.
 *
 * @param gone the removed resource, and the text of PROJECT without it
 */
export function storeFirst(
  undo: UndoTarget,
  gone: { readonly project: Project; readonly resource: Resource; readonly projectText: string },
): void {
  const left = readProject(gone.projectText);
  if ("message" in left) return;
  const versions = versionsOf(left, gone.resource);
  const fileOf = ({ version }: { readonly version: string }) => typesFile({ ...gone.resource, version }, left);
  unmarkOnly(undo, versions, { project: left, resource: gone.resource });
  // A CRD determines the storage version of types generated from it.
  if (versions.some((entry) => originOf(undo.tree.readText(fileOf(entry)) ?? "") !== undefined)) return;
  const hub = versions.find(({ webhooks }) => webhooks?.conversion === true);
  const stored = hub ?? (versions.length > 1 ? versions[0] : undefined);
  for (const entry of versions) {
    undo.edit(fileOf(entry), (text) => unmarkStorageVersion(text, gone.resource.typeName));
    if (entry === stored) {
      undo.edit(fileOf(entry), (text) => markStorageVersion(text, gone.resource.typeName) ?? text);
    }
  }
}

/**
 * Removes the marker of the storage version from the only remaining version of a kind, because a single version is always the
 * storage version.
 *
 * @param left the remaining versions: with several of them, nothing changes
 */
export function unmarkOnly(
  undo: UndoTarget,
  left: readonly { readonly version: string }[],
  { project, resource }: { readonly project: Project; readonly resource: Resource },
): void {
  const [only] = left;
  if (only === undefined || left.length > 1) return;
  undo.edit(typesFile({ ...resource, version: only.version }, project), (text) =>
    unmarkStorageVersion(text, resource.typeName),
  );
}
