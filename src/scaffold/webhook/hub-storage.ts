import { versionsOf } from "../../project/entries.ts";
import { typesFile } from "../../project/paths.ts";
import type { ProjectResource } from "../../project/project-file.ts";
import type { PlanTarget } from "../plan/plan-target.ts";
import {
  isStorageVersion,
  markStorageVersion,
  storageVersionAdvice,
  unmarkStorageVersion,
} from "../text/storage-version.ts";
import type { WebhookParts } from "./parts.ts";

/** Makes the hub the storage version. If another version was stored, notes that a cluster may contain objects of it. */
export function storeHub(plan: PlanTarget, { project, resource }: WebhookParts): void {
  const { kind, typeName, version } = resource;
  const fileOf = (entry: Pick<ProjectResource, "version">) =>
    typesFile({ ...resource, version: entry.version }, project);
  const others = versionsOf(project, resource).filter((entry) => entry.version !== version);
  for (const other of others.filter((entry) => isStorageVersion(plan.tree.readText(fileOf(entry)) ?? "", typeName))) {
    plan.editIfPossible(
      fileOf(other),
      (text) => {
        const changed = unmarkStorageVersion(text, typeName);
        return isStorageVersion(changed, typeName) ? undefined : changed;
      },
      `${version} is now the storage version of ${kind}: remove "+kubebuilder:storageversion" from ${fileOf(other)}`,
    );
    plan.note(
      `${kind} is stored as ${version} from now on, no longer as ${other.version}: objects that a cluster holds already must be written once more after the change`,
    );
  }
  const hub = fileOf(resource);
  if (isStorageVersion(plan.tree.readText(hub) ?? "", typeName)) return;
  plan.editIfPossible(hub, (text) => markStorageVersion(text, typeName), storageVersionAdvice(hub, typeName));
}
