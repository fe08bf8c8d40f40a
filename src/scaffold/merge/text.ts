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
 * @param base the text that was scaffolded
 * @param yours the user's version
 * @param next the text that would be scaffolded now
 */
export function mergeText(base: string, yours: string, next: string): Merged {
  const eol = yours.includes("\r\n") ? "\r\n" : "\n";
  const lines = (text: string) => text.split(/\r?\n/);
  let conflicts = 0;
  const parts = diff3Merge(lines(yours), lines(base), lines(next), { excludeFalseConflicts: true });
  const merged = parts.flatMap((part, index) => {
    if (part.conflict === undefined) return part.ok ?? [];
    conflicts++;
    // The text after the last line break isn't a line.
    const last = index === parts.length - 1;
    const side = (texts: readonly string[]) => (last && texts.at(-1) === "" ? texts.slice(0, -1) : texts);
    const { a, b } = part.conflict;
    return [markOfYours, ...side(a), "=======", ...side(b), markOfScaffold, ...(last ? [""] : [])];
  });
  return { text: merged.join(eol), conflicts };
}
