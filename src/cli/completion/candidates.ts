import { Command, type Option } from "commander";
import type { CommandEntry } from "../command.ts";
import { globalFlags } from "../global-options.ts";

/** One thing that the word under the cursor may become. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The word is a path: the shell knows those best. */
  readonly files: boolean;
}

/** A resource of the project, as far as flags name it. */
export interface KnownResource {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
}

const nothing: Completion = { candidates: [], files: false };

/**
 * What the last word of a command line may become.
 *
 * @param words what stands behind `scaffold`, the word under the cursor included (empty where it has not begun)
 * @param resources what the project has; called only when a flag asks for it
 */
export async function complete(
  words: readonly string[],
  entries: readonly CommandEntry[],
  resources: () => readonly KnownResource[],
): Promise<Completion> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const entry = entries.find(({ words: own }) => own.every((word, index) => before[index] === word));
  if (entry === undefined) return commandWords(before[0] === "help" ? before.slice(1) : before, typed, entries);
  const command = new Command();
  (await entry.load()).define(command);
  const previous = command.options.find(
    (option) => [option.short, option.long].includes(before.at(-1)) && option.required,
  );
  if (previous !== undefined) return flagValues(previous, before, typed, resources);
  if (typed.startsWith("-")) return flags(command, before, typed);
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  return { candidates: starting(typed, choices.map(bare)), files: false };
}

function commandWords(before: readonly string[], typed: string, entries: readonly CommandEntry[]): Completion {
  const found = new Map<string, string>();
  for (const { words, summary } of entries) {
    const next = words[before.length];
    if (next === undefined || !before.every((word, index) => words[index] === word)) continue;
    // One word that begins several commands is described by what it begins.
    const last = words.length === before.length + 1;
    found.set(next, last ? summary : [...(found.get(next)?.split(", ") ?? []), words.at(-1)].join(", "));
  }
  if (before.length === 0) found.set("help", "explain a command");
  const candidates = [...found].map(([value, description]) => ({ value, description }));
  return { candidates: starting(typed, candidates), files: false };
}

function flags(command: Command, before: readonly string[], typed: string): Completion {
  const own = command.options.filter(({ hidden }) => !hidden);
  const all = [
    ...own.map(({ long, flags: text, description }) => ({ value: long ?? text, description })),
    ...globalFlags.map(([value, description]) => ({ value, description })),
    { value: "--help", description: "explain this command" },
  ];
  return { candidates: starting(typed, all).filter(({ value }) => !before.includes(value)), files: false };
}

/** The values of a flag: those that its usage lists (`<a|b>`), the project's own names, or paths. */
function flagValues(
  option: Option,
  before: readonly string[],
  typed: string,
  resources: () => readonly KnownResource[],
): Completion {
  const usage = /<(.+)>/.exec(option.flags)?.[1] ?? "";
  const choices = option.argChoices ?? (usage.includes("|") ? usage.split("|") : undefined);
  if (choices !== undefined) return { candidates: starting(typed, choices.map(bare)), files: false };
  const key = option.long?.slice(2);
  if (key === "group" || key === "version" || key === "kind") {
    return { candidates: starting(typed, namesOf(key, before, resources()).map(bare)), files: false };
  }
  return /path|file|dir|ref/.test(usage) ? { candidates: [], files: true } : nothing;
}

/** The project's names for one flag, narrowed by what the other flags of the line say already. */
function namesOf(key: keyof KnownResource, before: readonly string[], resources: readonly KnownResource[]): string[] {
  const given = (name: keyof KnownResource) => {
    const at = before.lastIndexOf(`--${name}`);
    return name === key || at < 0 ? undefined : before[at + 1];
  };
  const matching = resources.filter((resource) =>
    (["group", "version", "kind"] as const).every(
      (name) => given(name) === undefined || given(name) === resource[name],
    ),
  );
  return [...new Set(matching.map((resource) => resource[key] ?? ""))].filter((name) => name !== "").sort();
}

const bare = (value: string): Candidate => ({ value, description: "" });

function starting(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}
