import { editDistance } from "../../diagnostics/did-you-mean.ts";
import { shown } from "../../text/shown.ts";
import type { CommandEntry } from "./command.ts";
import { type CliError, usageError } from "./errors.ts";

/** Names that kubebuilder and other tools use for a command. */
const aliases: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^new\b/, "create"],
  [/^alpha (generate|update)\b/, "upgrade"],
];

/** Creates the error for an unknown command, with the most similar command as a suggestion. */
export function unknownCommand(typed: string, entries: readonly CommandEntry[]): CliError {
  const names = entries.map(({ words }) => words.join(" "));
  const hint = "scaffold --help lists all commands";
  const longer = names.filter((name) => name.startsWith(`${typed} `));
  if (longer.length > 0) {
    const subcommands = longer.map((name) => name.slice(typed.length + 1)).join(", ");
    return usageError(`"scaffold ${typed}" requires a subcommand: ${subcommands}`, hint);
  }
  // "creat" may also be the first word of commands.
  const firstWords = typed.includes(" ") ? [] : names.flatMap((name) => /^(\S+) /.exec(name)?.[1] ?? []);
  // In "create ap game", compare only as many words as the command has.
  const nearest = [...names, ...firstWords]
    .map((name) => ({
      name,
      edits: editDistance(
        aliases
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

/** Creates the error for a flag before the command, or without one. `words` are the arguments that aren't flags. */
export function unknownFlag(flag: string, words: readonly string[], entries: readonly CommandEntry[]): CliError {
  const first = words.find((word) => entries.some((entry) => entry.words[0] === word));
  if (first === undefined) return unknownCommand(flag, entries);
  const [name = flag] = flag.split("=");
  return usageError(
    `flag ${shown(name)} before the command ${shown(first)}: the flags of a command must follow it`,
    "scaffold --help lists the flags that can be anywhere",
  );
}
