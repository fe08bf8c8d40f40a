import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { asWritten, type Format, isCode } from "../format/format.ts";
import { formatVersions } from "../format/format-versions.ts";
import { isSameCode } from "../format/same-code.ts";
import { type FileVersions, mergeTree, noteOfLeft } from "../merge/tree.ts";
import { boilerplatePath, withHeadOf } from "../parts/boilerplate.ts";
import { originOf } from "../parts/origin.ts";
import { changePristine, isOfChart, pristineTexts, readPristine } from "../pristine/pristine.ts";

/** A plan that merges, with the files that have conflicts. */
export interface MergePlan extends Plan {
  /** Files with conflict markers, sorted. */
  readonly conflicts: readonly string[];
}

export interface UpgradeInput {
  /** The texts that would be scaffolded now, by path. */
  readonly target: ReadonlyMap<string, string>;
  /** The texts of files that the project has never had. Later upgrades treat what differs from `target` as the user's change. */
  readonly added?: ReadonlyMap<string, string>;
  /** The license header of the source files among them, empty for none. */
  readonly header: string;
  /** Files that users don't edit: PROJECT, and packages in `vendor/`. */
  readonly artifacts: readonly { readonly path: string; readonly content: string | Uint8Array }[];
  /** The formatter of the project. The default formats nothing. */
  readonly format?: Format;
}

/**
 * Updates a project to what would be scaffolded now, with the user's changes: unchanged files are replaced, changed ones are
 * merged, and deleted ones stay deleted.
 */
export async function planUpgrade(
  tree: Tree,
  { target, added = new Map(), header, artifacts, format = asWritten }: UpgradeInput,
): Promise<MergePlan> {
  const pristine = pristineTexts(tree);
  const paths = new Set([...target.keys(), ...[...pristine.keys()].filter((path) => !isOfChart(path))]);
  // The license belongs to the author; templates don't change it.
  paths.delete(boilerplatePath);
  const files = [...paths].map((path): FileVersions => {
    const [base, yours, scaffolded] = [pristine.get(path), tree.readText(path), target.get(path)];
    if (path === generatedRole && base !== undefined && yours !== base) return { path, base, yours, next: base };
    const next = scaffolded === undefined || base === undefined ? scaffolded : nextText(path, base, scaffolded, header);
    return { path, base, yours, next };
  });
  const { left, ...merged } = mergeTree(await formatVersions(files, format));
  for (const [path, text] of added) if (merged.contents.has(path)) merged.contents.set(path, text);
  const archive = changePristine(tree, merged.copies, merged.obsolete);
  const contents = new Map<string, string | Uint8Array>([...merged.contents, ...archive.contents]);
  for (const { path, content } of artifacts) contents.set(path, content);
  const gone = new Set([...merged.gone, ...archive.gone, ...staleTarballs(tree, target)]);
  // The edited program still imports its helpers.
  if (left.includes(oldTasks)) gone.delete(oldTaskHelpers);
  const operations = operationsTo(tree, contents, gone);
  const election = merged.contents.get(electionRole);
  const changesElection = election !== undefined && operations.some(({ path }) => path === electionRole);
  const notes = changesElection ? electionNotes(election, tree.readText("src/main.ts") ?? "") : [];
  return {
    root: tree.root,
    operations,
    kept: merged.kept,
    overwritten: [],
    notes: [...left.map((path) => (path === oldTasks ? oldTasksNote : noteOfLeft(path))), ...notes],
    conflicts: merged.conflicts.sort(),
  };
}

/** Returns the text that would be scaffolded now for a file that was scaffolded before. */
function nextText(path: string, pristine: string, scaffolded: string, header: string): string {
  // Templates alone can't recreate this file, so it stays.
  if (originOf(pristine) !== undefined) return pristine;
  const text = isCode(path) ? withHeadOf(pristine, scaffolded, header) : scaffolded;
  return isSameScaffold(path, pristine, text) ? pristine : text;
}

/** The role that `make manifests` generates. Templates contain a placeholder, whose changes don't concern a generated role. */
const generatedRole = "config/rbac/role.yaml";

/** The program behind the make targets, which earlier versions scaffolded, and its helpers. */
const oldTasks = "hack/tasks.mjs";
const oldTaskHelpers = "hack/deploy.mjs";
const oldTasksNote = `${oldTasks} is kept, because it has your changes, but make and npm no longer call it: they call npx scaffold build, deploy and so on. Move your changes to the Makefile, then delete it and ${oldTaskHelpers}`;

const electionRole = "config/rbac/leader_election_role.yaml";

/**
 * Returns a note if the leader election Role doesn't name the manager's Lease, because the manager would never become the
 * leader.
 */
function electionNotes(role: string, main: string): string[] {
  const [, id] = /\bleaderElectionID:\s*["'`]([^"'`$]+)["'`]/.exec(main) ?? [];
  if (id === undefined || !role.includes("resourceNames:") || role.includes(id)) return [];
  return [`${electionRole} doesn't allow the Lease ${id} of src/main.ts: add this leaderElectionID to resourceNames`];
}

/**
 * Whether two scaffolded texts of a file differ only by their format, or by the order of lines in shared files. The order depends
 * on that of commands, which PROJECT doesn't record.
 */
export function isSameScaffold(path: string, a: string, b: string): boolean {
  return sameLines(a, b) || (isCode(path) && isSameCode(a, b));
}

/** Whether two texts have the same lines in any order. Calls that register webhooks count as separate lines. */
export function sameLines(a: string, b: string): boolean {
  const sorted = (text: string) =>
    text
      .split(/\n\s*|(?=\.(?:with[A-Z]\w*|complete)\()/)
      .sort()
      .join("\n");
  return a === b || sorted(a) === sorted(b);
}

/** Returns the packages in `vendor/` that package.json no longer refers to. */
function staleTarballs(tree: Tree, target: ReadonlyMap<string, string>): string[] {
  const tarballs = (text: string | undefined) =>
    [...(text ?? "").matchAll(/"file:(vendor\/[\w.@-]+\.tgz)"/g)].map(([, file]) => file ?? "");
  const wanted = new Set(tarballs(target.get("package.json")));
  return tarballs(readPristine(tree, "package.json")).filter((file) => !wanted.has(file));
}
