import type { Project } from "../../project/project-file.ts";
import { filesBelow } from "../files-below.ts";
import { plannedTree } from "../memory-tree.ts";
import { merge } from "../merge.ts";
import { mergeJson } from "../merge-json.ts";
import { operationsTo } from "../operation.ts";
import { changePristine, type FileChanges, isOfChart, pristineTexts } from "../pristine.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import type { MergePlan } from "../upgrade.ts";
import { mergeYaml } from "./merge-yaml.ts";
import { chartDirectory, generatedMark, renderChart } from "./render.ts";

/** Returns the existing files of the chart that begin with the mark. */
function generatedFiles(tree: Tree): string[] {
  return filesBelow(tree.root, `${chartDirectory}/templates`).filter((path) => isGenerated(tree.readText(path)));
}

function isGenerated(text: string | undefined): boolean {
  return text?.startsWith(generatedMark) === true;
}

/**
 * Returns a plan that also updates the chart to the new config/. Templates are rendered again. Changes since the last run
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
  const contents = new Map<string, string>();
  const [notes, conflicts]: [string[], string[]] = [[], []];
  for (const [path, text] of generated) {
    const current = tree.readText(path);
    if (current === undefined || isGenerated(current)) contents.set(path, text);
    else notes.push(`${path} is kept, because it has your changes: to restore the template from config/, delete it`);
  }
  const copies = pristineTexts(planned);
  const isNew = tree.readText(`${chartDirectory}/Chart.yaml`) === undefined;
  for (const [path, text] of scaffolded) {
    const [base, current] = [copies.get(path), tree.readText(path)];
    if (current === undefined) {
      if (isNew || base === undefined) contents.set(path, text);
    } else if (base === undefined) {
      if (current !== text) notes.push(`${path} is kept, because it has your changes`);
    } else if (current === base) contents.set(path, text);
    else if (base !== text) {
      const merged = mergeFile(path, base, current, text);
      if (merged.conflicts > 0) conflicts.push(path);
      contents.set(path, merged.text);
    }
  }
  const gone = new Set(generatedFiles(tree).filter((path) => !generated.has(path)));
  return joined(plan, tree, { contents, gone, copies: changePristine(planned, scaffolded) }, { notes, conflicts });
}

function mergeFile(path: string, base: string, yours: string, theirs: string) {
  const text = path.endsWith(".json")
    ? mergeJson(base, yours, theirs)
    : path.endsWith(".yaml")
      ? mergeYaml(base, yours, theirs)
      : undefined;
  return text === undefined ? merge(base, yours, theirs) : { text, conflicts: 0 };
}

/** Returns a plan that also removes the chart. Files that the user changed or added stay, with a note. */
export function withoutChart(plan: MergePlan, tree: Tree): MergePlan {
  const planned = plannedTree(tree, plan);
  const gone = new Set(generatedFiles(tree));
  const notes: string[] = [];
  const copies = [...pristineTexts(planned)].filter(([path]) => isOfChart(path));
  for (const [path, text] of copies) {
    const current = tree.readText(path);
    if (current === text) gone.add(path);
    else if (current !== undefined) notes.push(`${path} is kept, because it has your changes`);
  }
  const archive = changePristine(planned, new Map(), new Map(copies).keys());
  return joined(plan, tree, { contents: new Map(), gone, copies: archive }, { notes, conflicts: [] });
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
