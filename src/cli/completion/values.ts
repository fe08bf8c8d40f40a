import type { Option } from "commander";
import type { Candidate, Completions } from "../framework/command.ts";

/** The part of a resource that flags can name. */
export interface KnownResource {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
}

/** The completions of a word. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the word is a path, which the shell completes. */
  readonly files: boolean;
}

/** No completions. */
export const nothing: Completion = { candidates: [], files: false };

/** The input for completing a flag's value. */
export interface ValueContext {
  /** The words before the one at the cursor. */
  readonly before: readonly string[];
  /** The part of the value that is typed already. */
  readonly typed: string;
  /** Returns the project's resources; called only if a flag needs them. */
  readonly resources: () => readonly KnownResource[];
  readonly completions?: Completions;
}

/** Returns the values of a flag: those in its command or its usage (`<a|b>`), names from the project, or paths. */
export function flagValues(option: Option, context: ValueContext): Completion {
  const { typed, completions } = context;
  const key = option.long?.slice(2) ?? "";
  const usage = /^[^<[]*[<[](.+)[>\]]/.exec(option.flags)?.[1] ?? "";
  const own = completions?.flags?.[key];
  if (own !== undefined) {
    const choices = own.choices === "versions" ? otherVersions(context) : own.choices;
    return among(own.list === true ? nextOfList(typed, choices) : choices, typed);
  }
  const choices = option.argChoices ?? (usage.includes("|") ? usage.split("|") : undefined);
  if (choices !== undefined) return among(choices, typed);
  if (usage === "bool") return among(["true", "false"], typed);
  if (key === "group" || key === "version" || key === "kind") return among(namesOf(key, context), typed);
  return isPath(usage) ? { candidates: [], files: true } : nothing;
}

/** Whether the name of an argument in a usage denotes a path. */
export function isPath(usage: string): boolean {
  return /path|file|dir|ref/.test(usage);
}

/** Returns completions of a comma-separated list, each with one more value that isn't in the list yet. */
function nextOfList(typed: string, choices: readonly string[]): string[] {
  const start = typed.slice(0, typed.lastIndexOf(",") + 1);
  const there = start.split(",");
  return choices.filter((choice) => !there.includes(choice)).map((choice) => `${start}${choice}`);
}

/** Returns the project's names for a flag that match the other flags on the line. */
function namesOf(key: keyof KnownResource, { before, resources }: ValueContext): string[] {
  const matching = resources().filter((resource) =>
    (["group", "version", "kind"] as const).every((name) => {
      const said = name === key ? undefined : given(name, before);
      return said === undefined || said === resource[name];
    }),
  );
  return [...new Set(matching.map((resource) => resource[key] ?? ""))].filter((name) => name !== "").sort();
}

/** Returns the other versions of the kind on the line. */
function otherVersions(context: ValueContext): string[] {
  const own = given("version", context.before);
  return namesOf("version", context).filter((version) => version !== own);
}

/** Returns the value of a flag on the line, from the next word or after `=`. */
function given(name: string, before: readonly string[]): string | undefined {
  const at = before.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  return before[at] === `--${name}` ? before[at + 1] : before[at]?.slice(name.length + 3);
}

/** Filters values by the typed prefix. */
function among(values: readonly string[], typed: string): Completion {
  const candidates = values.filter((value) => value.startsWith(typed)).map((value) => ({ value, description: "" }));
  return { candidates, files: false };
}
