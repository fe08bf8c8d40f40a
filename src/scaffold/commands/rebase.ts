import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { boilerplatePath, withHeadOf, withYearOf } from "../parts/boilerplate.ts";
import { mainFile } from "../parts/main-file.ts";
import { originOf } from "../parts/origin.ts";
import { intactPristine, isOfChart, replacePristine } from "../pristine/pristine.ts";
import { usersOwn } from "./init.ts";
import { isSameScaffold } from "./upgrade.ts";

/**
 * Returns the copies from which to read the choices of earlier commands if the archive may be the result of a merge. The
 * names in main.ts are those that the author merged.
 */
export function choicesToRebase(tree: Tree): Tree {
  const { texts } = intactPristine(tree);
  return { ...tree, readText: (path) => (path === mainFile ? tree.readText(path) : undefined) ?? texts.get(path) };
}

/**
 * Rebuilds the pristine copies of a project, after a merge for example. Doesn't change the user's files.
 *
 * @param rendered the texts that PROJECT and the current templates determine, and the license header of the source files
 */
export function planRebase(
  tree: Tree,
  { target, header }: { readonly target: ReadonlyMap<string, string>; readonly header: string },
): Plan {
  const { texts: intact, paths } = intactPristine(tree);
  const copies = new Map([...intact].filter(([path]) => isOfChart(path) || path === boilerplatePath));
  for (const [path, scaffolded] of target) {
    const [before, current] = [intact.get(path), tree.readText(path)];
    // The license belongs to the author, and templates alone can't recreate a file that was generated from a CRD.
    if (path === boilerplatePath && before !== undefined) continue;
    if (originOf(before ?? current ?? "") !== undefined) {
      if (before !== undefined) copies.set(path, before);
      continue;
    }
    // The user created the file before the project was scaffolded.
    if (usersOwn.test(path) && paths.size > 0 && !paths.has(path) && current !== undefined) continue;
    const text = /\.[cm]?[jt]s$/.test(path) ? withHead(scaffolded, { before, current, header }) : scaffolded;
    copies.set(path, before !== undefined && isSameScaffold(path, before, text) ? before : text);
  }
  const lost = [...paths].filter((path) => (target.has(path) || isOfChart(path)) && !copies.has(path));
  const archive = replacePristine(tree, copies);
  return {
    root: tree.root,
    operations: operationsTo(tree, archive.contents, archive.gone),
    kept: [],
    overwritten: [],
    notes: lost.sort().map((path) => `the copy of ${path} can't be rebuilt: upgrade no longer changes the file`),
  };
}

/** Returns a scaffolded text with the header and year with which the file was created. */
function withHead(
  scaffolded: string,
  made: { readonly before: string | undefined; readonly current: string | undefined; readonly header: string },
): string {
  if (made.before !== undefined) return withHeadOf(made.before, scaffolded, made.header);
  return made.current === undefined ? scaffolded : withYearOf(made.current, scaffolded);
}
