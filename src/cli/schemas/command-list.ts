import { Command, type Option } from "commander";
import type { CommandEntry } from "../framework/command.ts";
import { globalFlags } from "../framework/global-options.ts";
import { ownManifest } from "../framework/version.ts";

/** A flag of a command. */
export interface ListedFlag {
  /** Such as `--group`. */
  readonly name: string;
  /** The name of its value; absent for a switch. */
  readonly value?: string;
  /** Its default as text. */
  readonly default?: string;
  readonly summary: string;
}

/** A positional argument of a command. */
export interface ListedArgument {
  readonly name: string;
  readonly summary: string;
  /** Whether the command fails without it. */
  readonly required: boolean;
  /** Whether it can be repeated. */
  readonly variadic: boolean;
}

/** A command, as `scaffold help --json` lists it. */
export interface ListedCommand {
  /** Its words, such as `create api`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly ListedArgument[];
  readonly flags: readonly ListedFlag[];
  /** The URL of the JSON Schema of its output with `--json`. */
  readonly schema: string;
}

/** The output of `scaffold help --json`. */
export interface CommandList {
  readonly commands: readonly ListedCommand[];
}

/** Returns the file of a command's schema in `schemas/`. */
export function schemaFile(words: string): string {
  return `${words.replaceAll(" ", "-")}.json`;
}

/** Returns the URL of a command's schema, which is also its `$id`. */
export function schemaUrl(words: string): string {
  return new URL(`schemas/${schemaFile(words)}`, ownManifest().homepage).href;
}

/** Lists commands with their arguments and flags. */
export async function commandList(entries: readonly CommandEntry[]): Promise<CommandList> {
  return { commands: await Promise.all(entries.map(listed)) };
}

async function listed({ words, summary, load }: CommandEntry): Promise<ListedCommand> {
  const { define } = await load();
  const command = new Command();
  define(command);
  const name = words.join(" ");
  return {
    name,
    summary,
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      summary: argument.description,
      required: argument.required,
      variadic: argument.variadic,
    })),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map(listedFlag),
      ...globalFlags.map(([flag, help]) => ({ name: flag, summary: help })),
    ],
    schema: schemaUrl(name),
  };
}

function listedFlag({ long, flags, description, defaultValue, negate }: Option): ListedFlag {
  const value = /[<[]([^<[\]>]+)[\]>]/.exec(flags)?.[1];
  return {
    name: long ?? flags,
    ...(value === undefined ? {} : { value }),
    ...(defaultValue === undefined || negate ? {} : { default: String(defaultValue) }),
    summary: description,
  };
}
