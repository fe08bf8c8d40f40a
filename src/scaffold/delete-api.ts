import { versionsOf } from "../project/entries.ts";
import { crdFile, typesFile } from "../project/paths.ts";
import type { ApiParts } from "./api-model.ts";
import { scaffoldApi } from "./api-parts.ts";
import { projectHeader } from "./boilerplate.ts";
import { settleDependency } from "./dependency.ts";
import type { Plan } from "./operation.ts";
import { isStorageVersion } from "./storage-version.ts";
import { storeFirst, unmarkOnly } from "./stored-copy.ts";
import type { Templates } from "./templates.ts";
import type { Tree } from "./tree.ts";
import { UndoBuilder } from "./undo.ts";
import type { UndoTarget } from "./undo-target.ts";

/** The input of `delete api`. The API or controller exists. */
export interface DeleteApiInput extends Omit<ApiParts, "header"> {
  /** Also removes files that the user has changed. */
  readonly force?: boolean;
  readonly year: number;
  /** The new text of PROJECT. */
  readonly projectText: string;
}

/** Plans the removal of an API, its controller or both. Files that the user has changed stay, with a note. */
export function planDeleteApi(tree: Tree, templates: Templates, input: DeleteApiInput): Plan {
  const undo = new UndoBuilder(tree, input);
  const parts = { ...input, header: projectHeader(tree, input.year) };
  for (const target of undo.both()) {
    scaffoldApi(target, target.tree, templates, parts);
    if (input.api && input.resource.origin === "own") settleVersions(target, input);
    settleDependency(target, input);
  }
  undo.artifact("PROJECT", input.projectText);
  return undo.build();
}

/** Updates the storage version of the remaining versions, or removes the CRD if none remain. */
function settleVersions(undo: UndoTarget, input: DeleteApiInput): void {
  const { project, resource } = input;
  const types = typesFile(resource, project);
  const left = versionsOf(project, resource).filter(({ version }) => version !== resource.version);
  const [only] = left;
  if (undo.keeps(types)) {
    undo.note(
      `${types} is still read by make manifests, which writes config/crd/bases/${crdFile(resource)}: remove both if you no longer need them`,
    );
  } else if (only === undefined) {
    undo.generated(`config/crd/bases/${crdFile(resource)}`);
  }
  if (undo.isPristine) storeFirst(undo, input);
  else unmarkOnly(undo, left, input);
  if (!undo.isPristine && left.length > 1 && isStorageVersion(undo.tree.readText(types) ?? "", resource.typeName)) {
    const versions = left.map(({ version }) => version).join(", ");
    undo.note(
      `${resource.version} was the version that is stored: put "// +kubebuilder:storageversion" above ${resource.typeName} in one of ${versions}`,
    );
  }
}
