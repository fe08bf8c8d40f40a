import { ProblemError } from "../../project/problem-error.ts";
import type { Project } from "../../project/project-file.ts";
import type { PackageIdentity } from "../../project/repo.ts";
import type { CoreKinds } from "../../project/target.ts";
import { replay } from "../commands/replay.ts";
import { choicesOf } from "../commands/replay-choices.ts";
import type { MergePlan } from "../commands/upgrade.ts";
import { plannedTree } from "../files/memory-tree.ts";
import { projectFiles } from "../files/project-files.ts";
import type { Tree } from "../files/tree.ts";
import type { Format } from "../format/format.ts";
import { boilerplatePath, fileHeader, hasHead, withHead } from "../parts/boilerplate.ts";
import type { Option } from "../parts/config-options.ts";
import { type FileChange, isOptionOn, switchOptions, switchOptionsOff } from "../parts/switches.ts";
import { pristineTree, readPristine } from "../pristine/pristine.ts";
import type { Templates } from "../templates/templates.ts";
import { movesBetween } from "./moves.ts";
import { planRelayout } from "./relayout.ts";
import { redirectImports } from "./specifiers.ts";

/** The changes to a project. All values are validated. */
export interface EditInput {
  readonly before: Project;
  readonly after: Project;
  /** Deployment options to enable and disable. */
  readonly switches?: Parameters<typeof switchOptions>[2];
  /** The new text of `hack/boilerplate.txt`, empty for none; undefined keeps the current one. */
  readonly boilerplate?: string;
  readonly npm: PackageIdentity;
  readonly year: number;
  readonly coreKinds: CoreKinds;
  /** The formatter of the project. The default formats nothing. */
  readonly format?: Format;
}

/**
 * Plans a change of a project's options: the result is what would have been scaffolded with them, with the user's changes.
 */
export async function planEdit(tree: Tree, templates: Templates, input: EditInput): Promise<MergePlan> {
  const old = tree.readText(boilerplatePath) ?? "";
  const { after, boilerplate = old, switches = { enable: [], disable: [] } } = input;
  const same = after.text === input.before.text && boilerplate === old;
  if (same) return withChanges(nothing(tree), tree, switchOptions(tree, after, switches));
  // Options are off in scaffolded files. Switching them off first lets the rest be merged into those.
  const carried = carriedOptions(tree, input).filter((option) => !switches.disable.includes(option));
  const off = withChanges(nothing(tree), tree, switchOptionsOff(input.before, [...switches.disable, ...carried]));
  const plan = await planChange(plannedTree(tree, off), templates, { ...input, old, boilerplate });
  const both = { ...plan, operations: [...off.operations, ...plan.operations] };
  const planned = plannedTree(tree, both);
  const wanted = { ...switches, enable: [...new Set([...switches.enable, ...carried])] };
  return withChanges(both, planned, switchOptions(planned, after, wanted));
}

/** Returns options that stay on but need different parts: metrics use the same source of certificates as webhooks. */
function carriedOptions(tree: Tree, { before, after }: EditInput): Option[] {
  if (before.webhookCerts === after.webhookCerts) return [];
  return isOptionOn(tree, before, "metrics-certs") ? ["metrics-certs"] : [];
}

const isSource = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

function nothing({ root }: Tree): MergePlan {
  return { root, operations: [], kept: [], overwritten: [], notes: [], conflicts: [] };
}

/** Plans the part of the change that needs templates: moved files and changed texts. */
async function planChange(
  tree: Tree,
  templates: Templates,
  input: EditInput & { readonly old: string; readonly boilerplate: string },
): Promise<MergePlan> {
  const { before, after, old, boilerplate, ...rest } = input;
  // Both sides of the merge have the same references, so those in package.json stay.
  const references = { kubewright: "*", runtime: "*", apiserver: "*", files: [] };
  const scaffolded = (project: Project, head: string, choices: ReturnType<typeof choicesOf>) =>
    replay(templates, { ...rest, ...choices, references, project, boilerplate: head });
  const move = movesBetween(before, after);
  const files = projectFiles(tree.root).filter((path) => path !== "PROJECT");
  const present = new Set(files);
  // If the author changed the license by hand, scaffolded files still have the previous header.
  const licenses = new Set([old, readPristine(tree, boilerplatePath) ?? old]);
  const moves = files.some((path) => move(path) !== path);
  const editor = moves ? await import("../code/editor.ts") : undefined;
  const redirect = (path: string, text: string) => {
    if (!isSource(path)) return text;
    const headed = [...licenses].reduce((before, license) => withHead(before, license, boilerplate), text);
    return editor === undefined ? headed : redirectImports(headed, path, editor, move, (each) => present.has(each));
  };
  const copies = pristineTree(tree);
  return planRelayout(tree, {
    before: await scaffolded(before, old, choicesOf(copies, before)),
    after: await scaffolded(after, boilerplate, choicesOf(copies, before, redirect)),
    move,
    redirect,
    header: fileHeader(boilerplate, rest.year),
    hasOtherHead: (path, text) => isSource(path) && ![...licenses].some((license) => hasHead(text, license)),
    files,
    projectText: after.text,
    format: input.format,
  });
}

/** Adds changes of files to a plan. The files stay in their places. */
function withChanges(plan: MergePlan, tree: Tree, changes: readonly FileChange[]): MergePlan {
  const operations = new Map(plan.operations.map((operation) => [operation.path, operation]));
  for (const { file, change } of changes) {
    const changed = operations.get(file);
    const current = changed !== undefined && changed.op !== "delete" ? String(changed.content) : tree.readText(file);
    if (current === undefined)
      throw new ProblemError("missing-file", `${file} is missing`, "restore it from version control");
    const content = change(current);
    if (content !== current) operations.set(file, { op: "update", path: file, content });
  }
  return { ...plan, operations: [...operations.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
