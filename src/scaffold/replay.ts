import { controllersOf } from "../project/controllers.ts";
import type { Project, ProjectResource } from "../project/project-file.ts";
import type { PackageIdentity } from "../project/repo.ts";
import type { Resource } from "../project/resource.ts";
import { type CoreKinds, completeModel } from "../project/target.ts";
import { webhooksOf } from "../project/webhooks.ts";
import type { Definition } from "./api-model.ts";
import { planCreateApi } from "./create-api.ts";
import { planCreateWebhook } from "./create-webhook.ts";
import { planInit } from "./init.ts";
import { MemoryTree } from "./memory-tree.ts";
import type { PackageManager } from "./package-manager.ts";
import { pristinePaths, readPristine } from "./pristine.ts";
import type { Templates } from "./templates.ts";
import type { Tree } from "./tree.ts";
import type { PackageReferences } from "./vendor/sources.ts";

/** What a project is scaffolded from beside PROJECT. */
export interface ReplayInput {
  readonly project: Project;
  readonly npm: PackageIdentity;
  /** The text of `hack/boilerplate.txt`, empty for none. */
  readonly boilerplate: string;
  readonly year: number;
  readonly references: PackageReferences;
  readonly coreKinds: CoreKinds;
  /** The text of main.ts whose names are kept: which of two things of one name came first, PROJECT doesn't say. */
  readonly mainBefore?: string;
  /** Without one the project is scaffolded as npm's. */
  readonly packageManager?: PackageManager;
  /** What a kind of the project's own is made from, where that isn't the templates alone. */
  readonly define?: (tree: Tree, project: Project, resource: Resource) => Definition | undefined;
}

/**
 * What the templates of this version make of a project: the commands that PROJECT stands for, given anew, one after
 * another, on an empty tree.
 *
 * @returns the scaffolded texts by path
 */
export async function replay(templates: Templates, input: ReplayInput): Promise<ReadonlyMap<string, string>> {
  const tree = new MemoryTree();
  await replayOn(tree, templates, input);
  return new Map(pristinePaths(tree.paths()).map((path) => [path, readPristine(tree, path) ?? ""]));
}

/** Gives the commands that PROJECT stands for, one after another, on a tree that has none of it. */
export async function replayOn(tree: MemoryTree, templates: Templates, input: ReplayInput): Promise<void> {
  const { project, year, coreKinds, mainBefore } = input;
  tree.apply(await planInit(tree, templates, { ...input, ...project, projectText: project.text }));
  // Webhooks come after the kinds: a conversion needs all versions.
  const bare = project.resources.map(({ webhooks, ...entry }): ProjectResource => entry);
  for (const [index, entry] of bare.entries()) {
    const controllerNames = controllersOf(entry);
    const [api, controller] = [entry.api !== undefined, controllerNames.length > 0];
    if (!api && !controller) continue;
    const before = { ...project, resources: bare.slice(0, index) };
    const resource = completeModel(entry, coreKinds);
    const added = {
      project: before,
      resource,
      api,
      definition: api ? input.define?.(tree, before, resource) : undefined,
      controller,
      controllerNames,
      // Two versions may have a controller of one name: the later one has its file.
      force: true,
      year,
      package: entry.module,
      mainBefore,
    };
    tree.apply(planCreateApi(tree, templates, { ...added, projectText: project.text }));
  }
  for (const [index, entry] of project.resources.entries()) {
    if (entry.webhooks === undefined) continue;
    const before = { ...project, resources: [...project.resources.slice(0, index), ...bare.slice(index)] };
    const added = {
      project: before,
      resource: completeModel(entry, coreKinds),
      wanted: webhooksOf(entry),
      force: false,
      year,
      package: entry.module,
      mainBefore,
    };
    tree.apply(await planCreateWebhook(tree, templates, { ...added, projectText: project.text }));
  }
}
