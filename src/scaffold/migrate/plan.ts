import { modelOf, type Project, readProject } from "../../project/project-file.ts";
import type { Crd } from "../from-crd/document.ts";
import { planFromCrd } from "../from-crd/plan.ts";
import type { ForeignTypes } from "../from-crd/type-writer.ts";
import { mainFile } from "../main-file.ts";
import { MemoryTree } from "../memory-tree.ts";
import { operationsTo, type Plan } from "../operation.ts";
import { type ReplayInput, replayOn } from "../replay.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import { controllerOf, type GoMarkers, webhookPath, withLoose, withMarkersAtEnd, withWebhooks } from "./go-markers.ts";

/** What a project in Go becomes one here from. */
export interface MigrateInput extends ReplayInput {
  /** The definitions of its kinds. */
  readonly crds: readonly Crd[];
  readonly sources: readonly GoMarkers[];
  /** Finds Kubernetes' own types among the schemas. */
  readonly foreignTypes: ForeignTypes;
}

/**
 * The plan of a project as the one in Go is: what PROJECT stands for, the types of its definitions, its markers for roles and webhooks.
 * Throws a ScaffoldError when files are in the way.
 */
export async function planMigration(tree: Tree, templates: Templates, input: MigrateInput): Promise<Plan> {
  const draft = new MemoryTree(tree);
  await replayOn(draft, templates, input);
  const notes = addTypes(draft, templates, input);
  notes.push(...moveMarkers(draft, input.sources));
  const plan = draft.plan();
  return { ...plan, notes: [...(plan.notes ?? []), ...notes] };
}

/** The types of all definitions in the place of the scaffolded ones. Gives what the user should know. */
function addTypes(draft: MemoryTree, templates: Templates, input: MigrateInput): string[] {
  const { project, crds, year, foreignTypes } = input;
  const own = project.resources.map(modelOf).filter(({ origin }) => origin === "own");
  const without = own.filter(({ qualifiedGroup, kind }) => !crds.some((crd) => isOf(crd, qualifiedGroup, kind)));
  const unknown = crds.filter((crd) => !own.some(({ qualifiedGroup, kind }) => isOf(crd, qualifiedGroup, kind)));
  for (const crd of crds.filter((each) => !unknown.includes(each))) {
    const current = currentProject(draft);
    draft.apply(
      planFromCrd(draft, templates, { project: current, crd, controller: false, force: true, year, foreignTypes }),
    );
  }
  return [
    ...[...new Set(without.map(({ kind }) => kind))].map(
      (kind) => `${kind} has no definition in config/crd/bases: its types are the scaffolded ones, write them by hand`,
    ),
    ...unknown.map((crd) => `${crd.metadata.name} is of no kind in PROJECT, and stays where it is`),
  ];
}

function isOf({ spec }: Crd, group: string, kind: string): boolean {
  return spec.group === group && spec.names.kind === kind;
}

function currentProject(tree: Tree): Project {
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new ScaffoldError(project.id, project.message);
  return project;
}

/** The markers of roles and webhooks in the places of the scaffolded ones. Gives what the user should know. */
function moveMarkers(draft: MemoryTree, sources: readonly GoMarkers[]): string[] {
  const notes: string[] = [];
  const contents = new Map<string, string>();
  const text = (path: string) => contents.get(path) ?? draft.readText(path);
  for (const { path, loose } of sources) {
    const controller = controllerOf(path);
    const scaffolded = controller === undefined ? undefined : text(controller);
    if (controller !== undefined && scaffolded !== undefined) contents.set(controller, withLoose(scaffolded, loose));
    else if (loose.length > 0) {
      contents.set(mainFile, withMarkersAtEnd(text(mainFile) ?? "", loose));
      notes.push(
        `the role markers of ${path} are at the end of ${mainFile} now: no controller here is called like that file`,
      );
    }
  }
  const webhooks = new Map(
    sources.flatMap((source) => source.webhooks.map((marker) => [webhookPath(marker) ?? "", marker])),
  );
  for (const path of draft.paths().filter((each) => /^(src|api)\/.*\.ts$/.test(each))) {
    contents.set(path, withWebhooks(text(path) ?? "", webhooks));
  }
  for (const marker of webhooks.values()) notes.push(`no webhook here has the path of this marker: ${marker}`);
  draft.apply({ root: draft.root, operations: operationsTo(draft, contents), kept: [], overwritten: [] });
  return notes;
}
