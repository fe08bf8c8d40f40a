import { versionsOf } from "../../project/entries.ts";
import { crdFile, samplePath, typesFile } from "../../project/paths.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import type { ApiParts } from "../parts/api-model.ts";
import { scaffoldApi } from "../parts/api-parts.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { settleDependency } from "../parts/dependency.ts";
import { roleTest, withSample } from "../parts/role-test.ts";
import { storeFirst, unmarkOnly } from "../parts/stored-copy.ts";
import { UndoBuilder } from "../plan/undo.ts";
import type { UndoTarget } from "../plan/undo-target.ts";
import type { Templates } from "../templates/templates.ts";
import { isStorageVersion } from "../text/storage-version.ts";

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
  if (input.api) undo.edit(roleTest, (text) => withSample(text, samplePath(input.resource)));
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
