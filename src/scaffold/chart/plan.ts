import type { Project } from "../../project/project-file.ts";
import { filesBelow } from "../files-below.ts";
import { plannedTree } from "../memory-tree.ts";
import { merge } from "../merge.ts";
import { mergeJson } from "../merge-json.ts";
import { type Operation, operationsTo } from "../operation.ts";
import { pack, readCopy } from "../pristine.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import type { MergePlan } from "../upgrade.ts";
import { mergeYaml } from "./merge-yaml.ts";
import { chartDirectory, generatedMark, renderChart } from "./render.ts";

/** Returns the path of the last rendered version of a file that users may change. */
function copyPath(path: string): string {
  return `.kubewright/${path}.gz`;
}

/** The existing files of the chart: those that begin with the mark, and those with a copy of the last rendered version. */
interface Present {
  readonly generated: readonly string[];
  readonly copies: readonly string[];
}

function present(tree: Tree): Present {
  const below = (directory: string) => filesBelow(tree.root, directory).sort();
  return {
    generated: below(`${chartDirectory}/templates`).filter((path) => isGenerated(tree.readText(path))),
    copies: below(`.kubewright/${chartDirectory}`).map((path) => path.slice(".kubewright/".length, -".gz".length)),
  };
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
  const contents = new Map<string, string | Uint8Array>();
  const [notes, conflicts]: [string[], string[]] = [[], []];
  for (const [path, text] of generated) {
    const current = tree.readText(path);
    if (current === undefined || isGenerated(current)) contents.set(path, text);
    else notes.push(`${path} is kept, because it has your changes: to restore the template from config/, delete it`);
  }
  const before = present(tree);
  const isNew = tree.readText(`${chartDirectory}/Chart.yaml`) === undefined;
  for (const [path, text] of scaffolded) {
    const [base, current] = [readCopy(tree, copyPath(path)), tree.readText(path)];
    contents.set(copyPath(path), pack(text));
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
  const gone = before.generated.filter((path) => !generated.has(path));
  return joined(plan, operationsTo(tree, contents, new Set(gone)), { notes, conflicts });
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
  const { generated, copies } = present(tree);
  const gone = new Set(generated);
  const notes: string[] = [];
  for (const path of copies) {
    const current = tree.readText(path);
    if (current !== undefined && current !== readCopy(tree, copyPath(path))) {
      notes.push(`${path} is kept, because it has your changes`);
    } else if (current !== undefined) gone.add(path);
    gone.add(copyPath(path));
  }
  return joined(plan, operationsTo(tree, new Map(), gone), { notes, conflicts: [] });
}

function joined(
  plan: MergePlan,
  operations: readonly Operation[],
  { notes, conflicts }: { readonly notes: readonly string[]; readonly conflicts: readonly string[] },
): MergePlan {
  return {
    ...plan,
    operations: [...plan.operations, ...operations].sort((a, b) => (a.path < b.path ? -1 : 1)),
    notes: [...(plan.notes ?? []), ...notes],
    conflicts: [...plan.conflicts, ...conflicts].sort(),
  };
}
