import type { CommandEntry } from "./command.ts";

// Commander parses the flags of one command. Its own subcommands would need commander for each help, version and completion,
// which work without it, and can't list "create api" in a section of the help or suggest it for "creat ap".

/** Returns the command at the beginning of the words: the one with the most words, since `dev why` is a command of its own. */
export function findCommand(entries: readonly CommandEntry[], words: readonly string[]): CommandEntry | undefined {
  const matching = entries.filter((entry) => entry.words.every((word, index) => words[index] === word));
  return matching.sort((a, b) => b.words.length - a.words.length)[0];
}
