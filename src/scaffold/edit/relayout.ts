import { ProblemError } from "../../project/problem-error.ts";
import type { MergePlan } from "../commands/upgrade.ts";
import { operationsTo } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { asWritten, type Format } from "../format/format.ts";
import { formatVersions } from "../format/format-versions.ts";
import { type FileVersions, mergeTree, noteOfLeft } from "../merge/tree.ts";
import { boilerplatePath, withHeadOf, withYearOf } from "../parts/boilerplate.ts";
import { changePristine, isOfChart, pristineTexts } from "../pristine/pristine.ts";
import { markerScope } from "./marker-scope.ts";
import type { Move } from "./moves.ts";

/** The input for changing a project's layout or options. */
export interface Relayout {
  /** The scaffolded texts of the current project, by path. */
  readonly before: ReadonlyMap<string, string>;
  /** The scaffolded texts of the changed project, by path. */
  readonly after: ReadonlyMap<string, string>;
  readonly move: Move;
  /**
   * Returns the user's text of a file with imports and header adapted to the new layout, before scaffolded changes are
   * merged.
   */
  readonly redirect: (path: string, text: string) => string;
  /** The license header of scaffolded source files, empty for none. */
  readonly header: string;
  /** Whether a source file has a different header than the license, because the author changed either by hand. */
  readonly hasOtherHead: (path: string, text: string) => boolean;
  /** The project's files on disk. */
  readonly files: readonly string[];
  /** The new text of PROJECT. */
  readonly projectText: string;
  /** The formatter of the project. The default formats nothing. */
  readonly format?: Format | undefined;
}

/**
 * Plans the change of a project into what would have been scaffolded with other options. Files move, and the scaffolded
 * differences are merged into them, so that the user's changes stay. Deleted files stay deleted.
 *
 * @throws ProblemError if a file already exists at the destination of a move
 */
export async function planRelayout(tree: Tree, relayout: Relayout): Promise<MergePlan> {
  const { before, after, move, redirect, header, hasOtherHead, files, projectText, format = asWritten } = relayout;
  const present = new Set(files);
  const pristine = pristineTexts(tree);

  /** Returns the versions of a scaffolded file: the user's, or the pristine copy of it. */
  const versionsOf = (path: string, text: string): FileVersions => {
    const [old, will, place] = [before.get(path) ?? text, after.get(move(path)), { path: move(path), from: path }];
    if (will === undefined)
      return { ...place, base: text === pristine.get(path) ? text : old, yours: text, next: will };
    // The license belongs to the author, so it is replaced instead of merged.
    if (path === boilerplatePath) return { ...place, base: text, yours: text, next: will };
    const { rescope } = markerScope(old, will);
    const rename = renaming(old, will);
    const settled = (before: string) => rename(rescope(redirect(path, before)));
    const yours = settled(text);
    const headed = (scaffolded: string) =>
      hasOtherHead(path, text) ? withHeadOf(yours, scaffolded, header) : withYearOf(text, scaffolded);
    return { ...place, base: headed(settled(withYearOf(text, old))), yours, next: headed(will) };
  };

  const blocked = files
    .map(move)
    .filter((path, index) => path !== files[index] && present.has(path) && move(path) === path);
  if (blocked.length > 0) {
    throw new ProblemError(
      "file-exists",
      `${blocked.join(", ")} exists, and a file would move there`,
      "move it to another place first",
    );
  }
  const own = ownFiles(tree, relayout);
  const scaffolded = files.filter((path) => before.has(path));
  const versions = scaffolded.map((path) => versionsOf(path, tree.readText(path) ?? ""));
  const live = mergeTree(await formatVersions(versions, format), { intoConflicts: true });
  const copied = [...pristine].filter(([path]) => !isOfChart(path));
  const copies = mergeTree(
    copied.map(([path, text]) => versionsOf(path, text)),
    { intoConflicts: true },
  );
  const came = new Set(copied.map(([path]) => move(path)));
  const added = mergeTree(
    [...after]
      .filter(([path]) => !came.has(path) && !before.has(path))
      .map(([path, next]) => ({
        path,
        base: undefined,
        yours: present.has(path) ? tree.readText(path) : undefined,
        next,
      })),
  );
  const archive = changePristine(
    tree,
    new Map([...copies.contents, ...added.copies]),
    copied.map(([path]) => path),
  );
  const texts = [
    ["PROJECT", projectText] as const,
    ...own.texts,
    ...live.contents,
    ...added.contents,
    ...archive.contents,
  ];
  const unscoped = scaffolded.filter((path) => {
    const [old, will] = [before.get(path) ?? "", after.get(move(path))];
    return will !== undefined && markerScope(old, will).leavesOthers(tree.readText(path) ?? "");
  });
  return {
    root: tree.root,
    operations: operationsTo(tree, new Map(texts), new Set([...own.gone, ...live.gone, ...archive.gone])),
    kept: [],
    overwritten: [],
    notes: [
      ...unscoped.map(
        (path) => `${move(path)}: your RBAC markers are kept as they are: add namespace= to generate a Role from one`,
      ),
      ...live.left.map(noteOfLeft),
      ...added.kept.map((path) => `${path} is yours and stays as it is`),
    ],
    conflicts: live.conflicts.sort(),
  };
}

/** Moves the user's own files, and adapts their imports and headers. */
function ownFiles(tree: Tree, { before, move, redirect, files }: Relayout) {
  const texts = new Map<string, string | Uint8Array>();
  const gone = new Set<string>();
  for (const path of files.filter((file) => !before.has(file))) {
    const text = tree.readText(path) ?? "";
    const own = redirect(path, text);
    // A file without changes may be binary, so move its bytes.
    if (own !== text) texts.set(move(path), own);
    else if (move(path) !== path) texts.set(move(path), tree.read(path) ?? text);
    if (move(path) !== path) gone.add(path);
  }
  return { texts, gone };
}

const named = /\.named\("[^"\n]*"\)/;

/**
 * Returns a function that replaces the controller's old name with the new one. The user's changes in the same line then
 * cause no conflict.
 *
 * @param old the scaffolded text before the change
 * @param will the scaffolded text after the change
 */
function renaming(old: string, will: string): (text: string) => string {
  const [from, to] = [old, will].map((text) => named.exec(text)?.[0]);
  return from === undefined || to === undefined ? (text) => text : (text) => text.replaceAll(from, to);
}
