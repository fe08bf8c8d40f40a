import { boilerplatePath, withHeadOf } from "./boilerplate.ts";
import { originOf } from "./from-crd/origin.ts";
import { hasConflict, type Merged, merge } from "./merge.ts";
import { mergeJson } from "./merge-json.ts";
import { operationsTo, type Plan } from "./operation.ts";
import { changePristine, isOfChart, pristineTexts, readPristine } from "./pristine.ts";
import type { Tree } from "./tree.ts";

/** A plan that merges, with the files that have conflicts. */
export interface MergePlan extends Plan {
  /** Files with conflict markers, sorted. */
  readonly conflicts: readonly string[];
}

export interface UpgradeInput {
  /** The texts that would be scaffolded now, by path. */
  readonly target: ReadonlyMap<string, string>;
  /** The license header of the source files among them, empty for none. */
  readonly header: string;
  /** Files that users don't edit: PROJECT, and packages in `vendor/`. */
  readonly artifacts: readonly { readonly path: string; readonly content: string | Uint8Array }[];
}

/**
 * Updates a project to what would be scaffolded now, with the user's changes: unchanged files are replaced, changed ones are
 * merged, and deleted ones stay deleted.
 */
export function planUpgrade(tree: Tree, { target, header, artifacts }: UpgradeInput): MergePlan {
  const pristineOf = pristineTexts(tree);
  const contents = new Map<string, string | Uint8Array>();
  const copies = new Map<string, string>();
  const [gone, obsolete] = [new Set<string>(), new Set<string>()];
  const [kept, notes, conflicts]: [string[], string[], string[]] = [[], [], []];
  for (const [path, scaffolded] of target) {
    // The license belongs to the author; templates don't change it.
    if (path === boilerplatePath) continue;
    const pristine = pristineOf.get(path);
    const current = tree.readText(path);
    // An earlier merge has unresolved conflicts, which must be resolved first.
    if (current !== undefined && hasConflict(current)) {
      conflicts.push(path);
      continue;
    }
    // Templates alone can't recreate this file, so it stays.
    if (pristine !== undefined && originOf(pristine) !== undefined) continue;
    const isSource = /\.[cm]?[jt]s$/.test(path);
    const text = pristine !== undefined && isSource ? withHeadOf(pristine, scaffolded, header) : scaffolded;
    // The order of lines in shared files depends on the order of commands, which PROJECT doesn't record.
    if (pristine !== undefined && sameLines(pristine, text)) continue;
    if (pristine === undefined && current !== undefined) {
      // The user created the file before it was scaffolded.
      if (current !== text) kept.push(path);
      continue;
    }
    if (pristine === undefined || current === pristine) contents.set(path, text);
    else if (current !== undefined && pristine !== text) {
      const merged = mergeFile(path, pristine, current, text);
      if (merged.conflicts > 0) conflicts.push(path);
      contents.set(path, merged.text);
    }
    copies.set(path, text);
  }
  for (const { path, content } of artifacts) contents.set(path, content);
  for (const path of staleTarballs(tree, target)) gone.add(path);
  for (const [path, pristine] of pristineOf) {
    if (target.has(path) || path === boilerplatePath || isOfChart(path)) continue;
    const current = tree.readText(path);
    if (current !== undefined && current !== pristine) {
      notes.push(`${path} is no longer scaffolded: it is kept, because it has your changes`);
    } else gone.add(path);
    obsolete.add(path);
  }
  const archive = changePristine(tree, copies, obsolete);
  for (const [path, text] of archive.contents) contents.set(path, text);
  for (const path of archive.gone) gone.add(path);
  const election = contents.get(electionRole);
  if (typeof election === "string") notes.push(...electionNotes(election, tree.readText("src/main.ts") ?? ""));
  return {
    root: tree.root,
    operations: operationsTo(tree, contents, gone),
    kept,
    overwritten: [],
    notes,
    conflicts: conflicts.sort(),
  };
}

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

function mergeFile(path: string, pristine: string, current: string, text: string): Merged {
  const json = path.endsWith(".json") ? mergeJson(pristine, current, text) : undefined;
  return json === undefined ? merge(pristine, current, text) : { text: json, conflicts: 0 };
}
