import { typesFile } from "../../project/paths.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import type { ApiParts } from "../parts/api-model.ts";
import { scaffoldApi } from "../parts/api-parts.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { dependOn } from "../parts/dependency.ts";
import { keepStorageVersion } from "../parts/keep-storage-version.ts";
import { copyNewestVersion, newestOther } from "../parts/version-copy.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { PlanTarget } from "../plan/plan-target.ts";
import type { Templates } from "../templates/templates.ts";

/** The input of `create api`, validated against the rules and the project. */
export interface CreateApiInput extends Omit<ApiParts, "header"> {
  readonly force: boolean;
  readonly year: number;
  /** The new text of PROJECT. */
  readonly projectText: string;
  /** An npm package to depend on, `name` or `name@version`. */
  readonly package?: string;
}

/**
 * Plans a new API, controller or both.
 *
 * @throws ProblemError if files already exist or anchors are missing
 */
export function planCreateApi(tree: Tree, templates: Templates, input: CreateApiInput): Plan {
  const plan = new PlanBuilder(tree, { force: input.force });
  const parts = { ...input, header: projectHeader(tree, input.year) };
  for (const target of plan.both()) {
    scaffoldApi(target, target.tree, templates, parts);
    // A CRD determines its storage version itself.
    if (input.api && input.definition === undefined) {
      keepStorageVersion(target, input);
      noteExample(target, input);
    }
    if (input.package !== undefined) dependOn(target, input.package);
  }
  plan.artifact("PROJECT", input.projectText);
  return plan.build();
}

/** Notes that a version has other fields than the others, because these weren't found. */
function noteExample(plan: PlanTarget, { project, resource }: CreateApiInput): void {
  const newest = newestOther(project, resource);
  if (newest === undefined || resource.origin !== "own" || copyNewestVersion(plan.tree, project, resource)) return;
  const [from, to] = [newest.version, resource.version].map((version) => typesFile({ ...resource, version }, project));
  plan.note(
    `${from} doesn't declare ${resource.typeName} in the scaffolded form, so ${to} starts with an example: copy the fields of ${newest.version} before objects are used in both versions`,
  );
}
