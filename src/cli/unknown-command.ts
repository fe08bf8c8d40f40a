import type { CommandEntry } from "./command.ts";
import { type CliError, usageError } from "./errors.ts";

/** The number of single-character edits between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

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
        typed
          .split(" ")
          .slice(0, name.split(" ").length)
          .join(" ")
          .replace(/^new\b/, "create"),
        name,
      ),
    }))
    .sort((a, b) => a.edits - b.edits)[0];
  const guess = nearest !== undefined && nearest.edits <= 3 ? `, did you mean ${nearest.name}?` : "";
  const kind = typed.startsWith("-") ? "flag" : "command";
  return usageError(`unknown ${kind} ${JSON.stringify(typed)}${guess}`, hint);
}
