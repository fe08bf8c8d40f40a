import { shown } from "../project/names.ts";
import type { CommandEntry } from "./command.ts";
import { type CliError, usageError } from "./errors.ts";

/** The number of edits between two words: a letter more, less or other, or two neighbours that changed places. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : other;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, other, swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** What other tools, or kubebuilder itself, call a command of ours. */
const habits: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^new\b/, "create"],
  [/^alpha (generate|update)\b/, "upgrade"],
];

/** The error for words that call no command, with the nearest one that exists. */
export function unknownCommand(typed: string, entries: readonly CommandEntry[]): CliError {
  const names = entries.map(({ words }) => words.join(" "));
  const hint = "scaffold --help lists the commands";
  const longer = names.filter((name) => name.startsWith(`${typed} `));
  if (longer.length > 0) return usageError(`scaffold ${typed} what? There is: ${longer.join(", ")}`, hint);
  // "create ap game": the words behind a command's own don't count.
  const nearest = names
    .map((name) => ({
      name,
      edits: distance(
        habits
          .reduce((words, [theirs, ours]) => words.replace(theirs, ours), typed)
          .split(" ")
          .slice(0, name.split(" ").length)
          .join(" "),
        name,
      ),
    }))
    .sort((a, b) => a.edits - b.edits)[0];
  const guess =
    nearest !== undefined && nearest.edits <= nearest.name.length / 3 ? `, did you mean ${nearest.name}?` : "";
  const kind = typed.startsWith("-") ? "flag" : "command";
  return usageError(`unknown ${kind} ${shown(typed)}${guess}`, hint);
}
