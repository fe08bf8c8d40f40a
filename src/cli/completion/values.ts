import type { Option } from "commander";
import type { Candidate, Completions } from "../command.ts";

/** A resource of the project, as far as flags name it. */
export interface KnownResource {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The word is a path: the shell knows those best. */
  readonly files: boolean;
}

export const nothing: Completion = { candidates: [], files: false };

/** What a flag's value may be made of. */
export interface ValueContext {
  /** The words before the one under the cursor. */
  readonly before: readonly string[];
  /** What of the value is there. */
  readonly typed: string;
  /** Called only when a flag asks for it. */
  readonly resources: () => readonly KnownResource[];
  readonly completions?: Completions;
}

/** The values of a flag: those that its command lists, or its usage (`<a|b>`), the project's own names, or paths. */
export function flagValues(option: Option, context: ValueContext): Completion {
  const { typed, completions } = context;
  const key = option.long?.slice(2) ?? "";
  const usage = /[<[](.+)[>\]]/.exec(option.flags)?.[1] ?? "";
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

/** Whether what is called so in a usage is a path: the shell knows those best. */
export function isPath(usage: string): boolean {
  return /path|file|dir|ref/.test(usage);
}

/** The values with one more of a list that has commas between its parts; none is offered twice. */
function nextOfList(typed: string, choices: readonly string[]): string[] {
  const start = typed.slice(0, typed.lastIndexOf(",") + 1);
  const there = start.split(",");
  return choices.filter((choice) => !there.includes(choice)).map((choice) => `${start}${choice}`);
}

/** The project's names for one flag, narrowed by what the other flags of the line say already. */
function namesOf(key: keyof KnownResource, { before, resources }: ValueContext): string[] {
  const matching = resources().filter((resource) =>
    (["group", "version", "kind"] as const).every((name) => {
      const said = name === key ? undefined : given(name, before);
      return said === undefined || said === resource[name];
    }),
  );
  return [...new Set(matching.map((resource) => resource[key] ?? ""))].filter((name) => name !== "").sort();
}

/** The versions of the kind beside the one that the line is about. */
function otherVersions(context: ValueContext): string[] {
  const own = given("version", context.before);
  return namesOf("version", context).filter((version) => version !== own);
}

/** The value that a line gives a flag, as a word of its own or behind `=`. */
function given(name: string, before: readonly string[]): string | undefined {
  const at = before.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  return before[at] === `--${name}` ? before[at + 1] : before[at]?.slice(name.length + 3);
}

/** Those of some values that go on from what is typed. */
function among(values: readonly string[], typed: string): Completion {
  const candidates = values.filter((value) => value.startsWith(typed)).map((value) => ({ value, description: "" }));
  return { candidates, files: false };
}
