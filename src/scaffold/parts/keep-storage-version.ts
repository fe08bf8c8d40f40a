import { versionsOf } from "../../project/entries.ts";
import { typesFile } from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { PlanTarget } from "../plan/plan-target.ts";
import { isStorageVersion, markStorageVersion, storageVersionAdvice } from "../text/storage-version.ts";

/**
 * Marks the version of a kind that was stored before a change, because clusters may contain objects of it. A single version is
 * stored without a marker.
 *
 * @param project the project before the change
 * @param written the versions whose types the change creates
 * @returns the stored version; `undefined` for a new kind
 */
export function keepStorageVersion(
  plan: PlanTarget,
  { project, resource }: { readonly project: Project; readonly resource: Resource },
  written: readonly string[] = [resource.version],
): string | undefined {
  const file = (entry: { version: string }) => typesFile({ ...resource, version: entry.version }, project);
  const versions = versionsOf(project, resource);
  const others = versions.filter(({ version }) => !written.includes(version));
  const marked = versions.find((entry) => isStorageVersion(plan.tree.readText(file(entry)) ?? "", resource.typeName));
  const first = marked ?? versions[0];
  // A file that already has the marker, and isn't rewritten now, keeps it.
  const isMissing = marked === undefined ? others.length > 0 : !others.includes(marked);
  if (first !== undefined && isMissing) {
    plan.editIfPossible(
      file(first),
      (text) => markStorageVersion(text, resource.typeName),
      storageVersionAdvice(file(first), resource.typeName),
    );
  }
  return first?.version;
}
