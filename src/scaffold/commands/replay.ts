import { controllersOf } from "../../project/controllers.ts";
import { entryHasTypes } from "../../project/entries.ts";
import { samplePath, webhookFile } from "../../project/paths.ts";
import type { Project, ProjectResource } from "../../project/project-file.ts";
import type { PackageIdentity } from "../../project/repo.ts";
import type { Resource } from "../../project/resource.ts";
import { type CoreKinds, completeModel } from "../../project/target.ts";
import { webhooksOf } from "../../project/webhooks.ts";
import { MemoryTree } from "../files/memory-tree.ts";
import type { Tree } from "../files/tree.ts";
import type { Definition } from "../parts/api-model.ts";
import { pristineTexts } from "../pristine/pristine.ts";
import type { Templates } from "../templates/templates.ts";
import type { PackageReferences } from "../vendor/sources.ts";
import { planCreateApi } from "./create-api.ts";
import { planCreateWebhook } from "./create-webhook.ts";
import { planInit } from "./init.ts";
import type { PackageManager } from "./package-manager.ts";

/** The input for scaffolding a project again, in addition to PROJECT. */
export interface ReplayInput {
  readonly project: Project;
  readonly npm: PackageIdentity;
  /** The text of `hack/boilerplate.txt`, empty for none. */
  readonly boilerplate: string;
  readonly year: number;
  readonly references: PackageReferences;
  readonly coreKinds: CoreKinds;
  /** The text of main.ts whose names are kept: PROJECT doesn't record which of two imports with the same name came first. */
  readonly mainBefore?: string;
  /** Returns the text of a file of code whose names are kept. */
  readonly codeBefore?: (path: string) => string | undefined;
  /** The default is npm. */
  readonly packageManager?: PackageManager;
  /** The project whose samples give tests their objects. By default, tests have those of templates. */
  readonly samplesOf?: Tree;
  /** Returns the definition of one of the project's own kinds, unless templates alone create it. */
  readonly define?: (tree: Tree, project: Project, resource: Resource) => Definition | undefined;
}

/**
 * Scaffolds a project with the current templates: runs the commands that PROJECT records on an empty tree.
 *
 * @returns the scaffolded texts by path
 */
export async function replay(templates: Templates, input: ReplayInput): Promise<ReadonlyMap<string, string>> {
  const tree = new MemoryTree();
  await replayOn(tree, templates, input);
  return pristineTexts(tree);
}

/**
 * Scaffolds the files of a project that it has never had, with the objects of its samples: types may require fields that
 * templates don't know.
 *
 * @param target - what {@link replay} returns for the same input
 * @param tree - the project
 * @returns the texts of these files by path
 */
export async function replayAdded(
  templates: Templates,
  input: ReplayInput,
  target: ReadonlyMap<string, string>,
  tree: Tree,
): Promise<ReadonlyMap<string, string>> {
  const before = pristineTexts(tree);
  const added = [...target.keys()].filter((path) => !before.has(path) && tree.readText(path) === undefined);
  if (added.length === 0) return new Map();
  const texts = await replay(templates, { ...input, samplesOf: tree });
  return new Map(added.map((path) => [path, texts.get(path) ?? ""]));
}

/** Runs the commands that PROJECT records on an empty tree, one after another. */
export async function replayOn(tree: MemoryTree, templates: Templates, input: ReplayInput): Promise<void> {
  const { project, year, coreKinds, mainBefore } = input;
  tree.apply(await planInit(tree, templates, { ...input, ...project, projectText: project.text }));
  // Webhooks come after all kinds, because a conversion needs all versions.
  const bare = project.resources.map(({ webhooks, ...entry }): ProjectResource => entry);
  for (const [index, entry] of bare.entries()) {
    const controllerNames = controllersOf(entry);
    const [api, controller] = [entryHasTypes(entry), controllerNames.length > 0];
    if (!api && !controller) continue;
    const before = { ...project, resources: bare.slice(0, index) };
    const resource = completeModel(entry, coreKinds);
    const added = {
      project: before,
      resource,
      coreKinds,
      api,
      sample: input.samplesOf?.readText(samplePath(resource)),
      definition: api ? input.define?.(tree, before, resource) : undefined,
      controller,
      kstatus: entry.kstatus === true,
      children: entry.children,
      controllerNames,
      // Two versions may have a controller with the same name; the file belongs to the later one.
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
    const resource = completeModel(entry, coreKinds);
    const added = {
      project: before,
      resource,
      wanted: webhooksOf(entry),
      force: false,
      year,
      package: entry.module,
      mainBefore,
      codeBefore: input.codeBefore?.(webhookFile(resource, project)),
    };
    tree.apply(await planCreateWebhook(tree, templates, { ...added, projectText: project.text }));
  }
}
