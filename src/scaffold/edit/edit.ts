import type { Project } from "../../project/project-file.ts";
import type { PackageIdentity } from "../../project/repo.ts";
import type { CoreKinds } from "../../project/target.ts";
import { boilerplatePath, withHead } from "../boilerplate.ts";
import { openParser } from "../code/parse.ts";
import { mainFile } from "../main-file.ts";
import { plannedTree } from "../memory-tree.ts";
import { replay } from "../replay.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import type { Templates } from "../templates.ts";
import type { Tree } from "../tree.ts";
import type { UpgradePlan } from "../upgrade.ts";
import { movesBetween } from "./moves.ts";
import { projectFiles } from "./project-files.ts";
import { planRelayout } from "./relayout.ts";
import { redirectImports } from "./specifiers.ts";
import { type FileChange, switchOptions, switchOptionsOff } from "./switches.ts";

/** What a project is to become; everything has been checked. */
export interface EditInput {
  readonly before: Project;
  readonly after: Project;
  /** Options of the deployment to switch. */
  readonly switches?: Parameters<typeof switchOptions>[2];
  /** The new text of `hack/boilerplate.txt`, empty for none; undefined leaves it as it is. */
  readonly boilerplate?: string;
  readonly npm: PackageIdentity;
  readonly year: number;
  readonly coreKinds: CoreKinds;
}

/** The plan that gives a project other options: what would have been scaffolded with them, with the user's changes. */
export async function planEdit(tree: Tree, templates: Templates, input: EditInput): Promise<UpgradePlan> {
  const old = tree.readText(boilerplatePath) ?? "";
  const { after, boilerplate = old, switches = { enable: [], disable: [] } } = input;
  const same = after.text === input.before.text && boilerplate === old;
  if (same) return withChanges(nothing(tree), tree, switchOptions(tree, after, switches));
  // What is off is what was scaffolded: the rest is merged into that.
  const off = withChanges(nothing(tree), tree, switchOptionsOff(input.before, switches.disable));
  const plan = await planChange(plannedTree(tree, off), templates, { ...input, old, boilerplate });
  const both = { ...plan, operations: [...off.operations, ...plan.operations] };
  const planned = plannedTree(tree, both);
  return withChanges(both, planned, switchOptions(planned, after, switches));
}

function nothing({ root }: Tree): UpgradePlan {
  return { root, operations: [], kept: [], overwritten: [], notes: [], conflicts: [] };
}

/** The part of the plan that takes templates: other places, other texts. */
async function planChange(
  tree: Tree,
  templates: Templates,
  input: EditInput & { readonly old: string; readonly boilerplate: string },
): Promise<UpgradePlan> {
  const { before, after, old, boilerplate, ...rest } = input;
  // What package.json refers to stays, whatever it is: both sides say the same of it.
  const references = { kubewright: "*", runtime: "*", files: [] };
  const scaffolded = (project: Project, head: string, mainBefore: string) =>
    replay(templates, { ...rest, references, project, boilerplate: head, mainBefore });
  const move = movesBetween(before, after);
  const files = projectFiles(tree.root).filter((path) => path !== "PROJECT");
  const present = new Set(files);
  const parse = files.some((path) => move(path) !== path) ? await openParser() : undefined;
  const redirect = (path: string, text: string) => {
    if (!/\.[cm]?[jt]s$/.test(path)) return text;
    const headed = withHead(text, old, boilerplate);
    return parse === undefined ? headed : redirectImports(headed, path, parse, move, (each) => present.has(each));
  };
  const main = tree.readText(mainFile) ?? "";
  return planRelayout(tree, {
    before: await scaffolded(before, old, main),
    after: await scaffolded(after, boilerplate, redirect(mainFile, main)),
    move,
    redirect,
    files,
    projectText: after.text,
  });
}

/** A plan with further changes of files that it leaves where they are. */
function withChanges(plan: UpgradePlan, tree: Tree, changes: readonly FileChange[]): UpgradePlan {
  const operations = new Map(plan.operations.map((operation) => [operation.path, operation]));
  for (const { file, change } of changes) {
    const changed = operations.get(file);
    const current = changed !== undefined && changed.op !== "delete" ? String(changed.content) : tree.readText(file);
    if (current === undefined)
      throw new ScaffoldError("missing-file", `${file} is missing`, "restore it from version control");
    const content = change(current);
    if (content !== current) operations.set(file, { op: "update", path: file, content });
  }
  return { ...plan, operations: [...operations.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
