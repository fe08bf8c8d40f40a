import { Command } from "commander";
import type { Candidate, CommandEntry } from "../framework/command.ts";
import { findCommand } from "../framework/find-command.ts";
import { globalFlags } from "../framework/global-options.ts";
import { type Completion, flagValues, isPath, type KnownResource, nothing } from "./values.ts";

/**
 * Returns the completions of the last word of a command line.
 *
 * @param words the words after `scaffold`, including the word at the cursor (empty for a new word)
 * @param resources returns the project's resources; called only if a flag needs them
 */
export async function complete(
  words: readonly string[],
  entries: readonly CommandEntry[],
  resources: () => readonly KnownResource[],
): Promise<Completion> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  // Arguments after -- are for another program.
  if (before.includes("--")) return nothing;
  const entry = findCommand(entries, before);
  if (entry === undefined) return commandWords(before[0] === "help" ? before.slice(1) : before, typed, entries);
  const { define, completions } = await entry.load();
  const command = new Command();
  define(command);
  const optionOf = (flag: string | undefined) =>
    command.options.find(({ short, long }) => flag !== undefined && [short, long].includes(flag));
  const previous = optionOf(before.at(-1));
  if (previous?.required === true) return flagValues(previous, { before, typed, resources, completions });
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const assigned = optionOf(flag);
  if (assigned !== undefined && value !== undefined) {
    const { candidates, files } = flagValues(assigned, { before, typed: value, resources, completions });
    return {
      candidates: candidates.map((candidate) => ({ ...candidate, value: `${flag}=${candidate.value}` })),
      files,
    };
  }
  if (typed.startsWith("-")) return flags(command, before, typed);
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const offered: readonly Candidate[] =
    (await completions?.words?.()) ?? choices.map((word) => ({ value: word, description: "" }));
  if (offered.some(({ value, path }) => path === true && typed.startsWith(value)))
    return { candidates: [], files: true };
  const files = command.registeredArguments.some((argument) => isPath(argument.name()));
  return { candidates: starting(typed, offered), files };
}

function commandWords(before: readonly string[], typed: string, entries: readonly CommandEntry[]): Completion {
  const summaries = new Map<string, string>();
  for (const { words, summary } of entries) {
    const next = words[before.length];
    if (next === undefined || !before.every((word, index) => words[index] === word)) continue;
    // The description of a word that begins several commands lists them.
    const last = words.length === before.length + 1;
    summaries.set(next, last ? summary : [...(summaries.get(next)?.split(", ") ?? []), words.at(-1)].join(", "));
  }
  if (before.length === 0) summaries.set("help", "Explain a command");
  const candidates = [...summaries].map(([value, description]) => ({ value, description }));
  return { candidates: starting(typed, candidates), files: false };
}

function flags(command: Command, before: readonly string[], typed: string): Completion {
  const own = command.options.filter(({ hidden }) => !hidden);
  const all = [
    ...own.map(({ long, flags: text, description }) => ({ value: long ?? text, description })),
    ...globalFlags.map(([value, description]) => ({ value, description })),
    { value: "--help", description: "show this help" },
  ];
  return { candidates: starting(typed, all).filter(({ value }) => !before.includes(value)), files: false };
}

function starting(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}
