import { diff3Merge } from "node-diff3";

export interface Merged {
  readonly text: string;
  /** Number of conflicts, which are marked in the text. */
  readonly conflicts: number;
}

const [markOfYours, markOfScaffold] = ["<<<<<<< yours", ">>>>>>> scaffold"];

/** Whether a text still contains conflict markers of {@link mergeText}. */
export function hasConflict(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return lines.includes(markOfYours) && lines.includes(markOfScaffold);
}

/**
 * Merges the user's changes of a scaffolded file with those of the templates. If both changed the same lines, both versions
 * stay between git's conflict markers. Preserves the user's line breaks.
 *
 * These conflicts are resolved:
 *
 * - The templates changed only comments: the user's lines are kept. Users replace placeholders.
 * - The user only added lines before or after lines that the templates changed: both changes are made.
 * - Both changed different lines of a Makefile next to each other, after which the templates may add lines: all changes are made.
 * - Both changed prose (Markdown): the user's lines are kept.
 *
 * @param base the text that was scaffolded
 * @param yours the user's version
 * @param next the text that would be scaffolded now
 * @param path the file, whose name determines the syntax of comments. Without it, no line is a comment
 */
export function mergeText(base: string, yours: string, next: string, path = ""): Merged {
  const eol = yours.includes("\r\n") ? "\r\n" : "\n";
  const lines = (text: string) => text.split(/\r?\n/);
  let conflicts = 0;
  const parts = diff3Merge(lines(yours), lines(base), lines(next), { excludeFalseConflicts: true });
  const merged = parts.flatMap((part, index) => {
    if (part.conflict === undefined) return part.ok ?? [];
    const { a, o, b } = part.conflict;
    const resolved = resolve(a, o, b, path);
    if (resolved !== undefined) return resolved;
    conflicts++;
    // The text after the last line break isn't a line.
    const last = index === parts.length - 1;
    const side = (texts: readonly string[]) => (last && texts.at(-1) === "" ? texts.slice(0, -1) : texts);
    return [markOfYours, ...side(a), "=======", ...side(b), markOfScaffold, ...(last ? [""] : [])];
  });
  return { text: merged.join(eol), conflicts };
}

/** Returns the lines that replace a conflict, or undefined if only the user can decide. */
function resolve(yours: string[], base: string[], next: string[], path: string): string[] | undefined {
  if (path.endsWith(".md")) return yours;
  if (isSame(withoutComments(base, path), withoutComments(next, path))) return yours;
  // Added lines may depend on lines that the templates removed.
  if (base.length === 0 || next.length === 0) return undefined;
  if (isSame(yours.slice(0, base.length), base)) return [...next, ...yours.slice(base.length)];
  if (isSame(yours.slice(-base.length), base)) return [...yours.slice(0, -base.length), ...next];
  // Each line of a recipe is a command of its own.
  return path === "Makefile" ? lineByLine(yours, base, next) : undefined;
}

/** Combines changes of different lines; undefined if both sides changed the same line, or if the lines don't correspond. */
function lineByLine(yours: string[], base: string[], next: string[]): string[] | undefined {
  if (yours.length !== base.length || next.length < base.length) return undefined;
  const isOne = base.every((line, index) => yours[index] === line || next[index] === line);
  if (!isOne) return undefined;
  return next.map((line, index) => (index < base.length && line === base[index] ? (yours[index] ?? line) : line));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/** Returns the lines that aren't empty or comments. Markers (`+kubebuilder:…`) are code. */
function withoutComments(lines: readonly string[], path: string): string[] {
  const comment = /\.[cm]?[jt]s$/.test(path) ? /^\s*(\/\/|\/\*|\*)(?!\s*\+)/ : path === "Makefile" ? /^#/ : /^(?!)/;
  return lines.filter((line) => line.trim() !== "" && !comment.test(line));
}
