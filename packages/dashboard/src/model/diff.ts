/** A line of a diff. */
export interface DiffLine {
  readonly type: "added" | "removed" | "context" | "hunk" | "note";
  /** The line without its sign. */
  readonly text: string;
}

/** A parsed diff. */
export interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Parses a unified diff. The lines with the names of files are left out. */
export function parseDiff(text: string): Diff {
  const lines: DiffLine[] = [];
  let isInHunk = false;
  let [added, removed] = [0, 0];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("@@")) {
      isInHunk = true;
      lines.push({ type: "hunk", text: line });
    } else if (!isInHunk && /^(---|\+\+\+) /.test(line)) {
      // The header, which names the states only.
    } else if (line.startsWith("+")) {
      added++;
      lines.push({ type: "added", text: line.slice(1) });
    } else if (line.startsWith("-")) {
      removed++;
      lines.push({ type: "removed", text: line.slice(1) });
    } else if (line.startsWith(" ")) lines.push({ type: "context", text: line.slice(1) });
    else if (line !== "") lines.push({ type: "note", text: line });
  }
  return { lines, added, removed };
}
