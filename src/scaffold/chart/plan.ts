import type { Project } from "../../project/project-file.ts";
import { filesBelow } from "../files-below.ts";
import { type MemoryTree, plannedTree } from "../memory-tree.ts";
import { merge } from "../merge.ts";
import { mergeJson } from "../merge-json.ts";
import { operationsTo } from "../operation.ts";
import { type PristineCopies, readPristineCopies, storePristine } from "../pristine.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import type { MergePlan } from "../upgrade.ts";
import { chartDirectory, isInChart } from "./directory.ts";
import { mergeYaml } from "./merge-yaml.ts";
import { generatedMark, renderChart } from "./render.ts";

/** Returns the existing templates of the chart that begin with the mark. */
function generatedFiles(tree: Tree): string[] {
  const files = filesBelow(tree.root, `${chartDirectory}/templates`).sort();
  return files.filter((path) => isGenerated(tree.readText(path)));
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
  const copies = new Map(readPristineCopies(planned));
  const isNew = tree.readText(`${chartDirectory}/Chart.yaml`) === undefined;
  for (const [path, text] of scaffolded) {
    const [base, current] = [copies.get(path), tree.readText(path)];
    copies.set(path, text);
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
  const gone = generatedFiles(tree).filter((path) => !generated.has(path));
  return joined(planned, plan, { contents, gone, copies, notes, conflicts });
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
  const copies = new Map(readPristineCopies(planned));
  const gone = generatedFiles(tree);
  const notes: string[] = [];
  for (const [path, base] of [...copies]) {
    if (!isInChart(path)) continue;
    const current = tree.readText(path);
    if (current !== undefined && current !== base) notes.push(`${path} is kept, because it has your changes`);
    else gone.push(path);
    copies.delete(path);
  }
  return joined(planned, plan, { contents: new Map(), gone, copies, notes, conflicts: [] });
}

/** The changes of the chart. */
interface ChartChanges {
  readonly contents: ReadonlyMap<string, string>;
  readonly gone: readonly string[];
  /** The new pristine copies of the project. */
  readonly copies: PristineCopies;
  readonly notes: readonly string[];
  readonly conflicts: readonly string[];
}

function joined(planned: MemoryTree, plan: MergePlan, changes: ChartChanges): MergePlan {
  const stored = storePristine(planned, changes.copies);
  const contents = new Map([...changes.contents, ...stored.contents]);
  const gone = new Set([...changes.gone, ...stored.gone]);
  planned.apply({ ...plan, operations: operationsTo(planned, contents, gone) });
  return {
    ...plan,
    operations: planned.plan().operations,
    notes: [...(plan.notes ?? []), ...changes.notes],
    conflicts: [...plan.conflicts, ...changes.conflicts].sort(),
  };
}
