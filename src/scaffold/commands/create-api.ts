import { versionsOf } from "../../project/entries.ts";
import { typesFile } from "../../project/paths.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import type { ApiParts } from "../parts/api-model.ts";
import { scaffoldApi } from "../parts/api-parts.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { dependOn } from "../parts/dependency.ts";
import { copyNewestVersion, newestOther } from "../parts/version-copy.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { PlanTarget } from "../plan/plan-target.ts";
import type { Templates } from "../templates/templates.ts";
import { isStorageVersion, markStorageVersion, storageVersionAdvice } from "../text/storage-version.ts";

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

/** Marks the first version of a kind as the storage version. It was implicitly, as long as it was the only one. */
function keepStorageVersion(plan: PlanTarget, { project, resource }: CreateApiInput): void {
  const file = (entry: { version: string }) => typesFile({ ...resource, version: entry.version }, project);
  const versions = versionsOf(project, resource);
  const others = versions.filter(({ version }) => version !== resource.version);
  const marked = versions.find((entry) => isStorageVersion(plan.tree.readText(file(entry)) ?? "", resource.typeName));
  const first = marked ?? versions[0];
  // A single version needs no marker. A file that already has the marker, and isn't rewritten now, keeps it.
  if (first === undefined || (marked === undefined && others.length === 0) || others.some((other) => other === marked))
    return;
  plan.editIfPossible(
    file(first),
    (text) => markStorageVersion(text, resource.typeName),
    storageVersionAdvice(file(first), resource.typeName),
  );
}
