import type { Project } from "../../project/project-file.ts";
import type { MergePlan } from "../commands/upgrade.ts";
import { filesBelow } from "../files/files-below.ts";
import { plannedTree } from "../files/memory-tree.ts";
import { operationsTo } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { mergeTree } from "../merge/tree.ts";
import { changePristine, type FileChanges, isOfChart, pristineTexts } from "../pristine/pristine.ts";
import type { Templates } from "../templates/templates.ts";
import { chartDirectory, crdChartDirectory, generatedMark, renderChart } from "./render.ts";

/** Returns the existing files of the charts that begin with the mark. */
function generatedFiles(tree: Tree): string[] {
  return [chartDirectory, crdChartDirectory]
    .flatMap((directory) => filesBelow(tree.root, `${directory}/templates`))
    .filter((path) => isGenerated(tree.readText(path)));
}

function isGenerated(text: string | undefined): boolean {
  return text?.startsWith(generatedMark) === true;
}

/**
 * Returns a plan that also updates the charts to the new config/. Templates are rendered again. Changes since the last run
 * are merged into the files that users change, such as values.yaml. Deleted files stay deleted, and the user's own templates
 * stay.
 *
 * @param extra texts that config/ doesn't contain yet, by path
 */
export function withChart(
  plan: MergePlan,
  tree: Tree,
  templates: Templates,
  project: Project,
  extra: ReadonlyMap<string, string> = new Map(),
): MergePlan {
  const planned = plannedTree(tree, plan);
  const touched = new Set(plan.operations.map(({ path }) => path));
  const readText = (path: string) => (touched.has(path) ? undefined : extra.get(path)) ?? planned.readText(path);
  const { generated, scaffolded } = renderChart(project, templates, readText);
  const copies = pristineTexts(planned);
  const isNew = (path: string) => tree.readText(`${path.split("/")[0]}/Chart.yaml`) === undefined;
  const paths = new Set([...scaffolded.keys(), ...[...copies.keys()].filter(isOfChart)]);
  const files = [...paths].map((path) => {
    const [yours, next] = [tree.readText(path), scaffolded.get(path)];
    // A new chart gets all files, including those that were deleted with the previous one.
    const base = isNew(path) && yours === undefined && next !== undefined ? undefined : copies.get(path);
    return { path, base, yours, next };
  });
  const { contents, gone, kept, left, ...merged } = mergeTree(files, { yamlByKey: true });
  const notes = [...kept, ...left].map(noteOfKept);
  for (const [path, text] of generated) {
    const current = tree.readText(path);
    if (current === undefined || isGenerated(current)) contents.set(path, text);
    else notes.push(`${noteOfKept(path)}: to restore the template from config/, delete it`);
  }
  for (const path of generatedFiles(tree)) if (!generated.has(path)) gone.add(path);
  // Later changes are also merged into files that the user created: the chart's templates refer to their values.
  const adopted = [...scaffolded].filter(([path]) => kept.includes(path));
  const archive = changePristine(planned, new Map([...merged.copies, ...adopted]), merged.obsolete);
  return joined(plan, tree, { contents, gone, copies: archive }, { notes, conflicts: merged.conflicts });
}

function noteOfKept(path: string): string {
  return `${path} is kept, because it has your changes`;
}

/** Returns a plan that also removes the chart. Files that the user changed or added stay, with a note. */
export function withoutChart(plan: MergePlan, tree: Tree): MergePlan {
  const planned = plannedTree(tree, plan);
  const copies = [...pristineTexts(planned)].filter(([path]) => isOfChart(path));
  const files = copies.map(([path, base]) => ({ path, base, yours: tree.readText(path), next: undefined }));
  const { contents, gone, left, obsolete } = mergeTree(files);
  for (const path of generatedFiles(tree)) gone.add(path);
  const archive = changePristine(planned, new Map(), obsolete);
  return joined(plan, tree, { contents, gone, copies: archive }, { notes: left.map(noteOfKept), conflicts: [] });
}

/** Adds changes of the chart, and of the archive of copies, to a plan. */
function joined(
  plan: MergePlan,
  tree: Tree,
  { contents, gone, copies }: FileChanges & { readonly copies: FileChanges },
  { notes, conflicts }: { readonly notes: readonly string[]; readonly conflicts: readonly string[] },
): MergePlan {
  const added = operationsTo(tree, new Map([...contents, ...copies.contents]), new Set([...gone, ...copies.gone]));
  const operations = new Map([...plan.operations, ...added].map((operation) => [operation.path, operation]));
  return {
    ...plan,
    operations: [...operations.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    notes: [...(plan.notes ?? []), ...notes],
    conflicts: [...plan.conflicts, ...conflicts].sort(),
  };
}
