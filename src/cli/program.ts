import type { Command, CommanderError } from "commander";
import { printable, shown } from "../project/names.ts";
import type { CommandEntry, CommandModule } from "./command.ts";
import { usageError } from "./errors.ts";
import { globalFlags } from "./global-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Help is laid out for the terminal's width, and for 100 columns where there is none. */
function columns(env: Environment): number {
  const width = Number(env.COLUMNS ?? process.stdout.columns);
  return Number.isFinite(width) && width >= 40 ? Math.min(width, 120) : 100;
}

/** The text of `scaffold --help`: the table alone, no command is loaded. */
export function rootHelp(entries: readonly CommandEntry[]): string {
  const width = Math.max(...entries.map(({ words }) => words.join(" ").length));
  const flagWidth = Math.max(...globalFlags.map(([flag]) => flag.length));
  return [
    "scaffold builds Kubernetes operators in TypeScript.",
    "",
    "Usage: scaffold <command> [flags]",
    "",
    "Commands:",
    ...entries.map(({ words, summary }) => `  ${words.join(" ").padEnd(width)}  ${summary}`),
    `  ${"help".padEnd(width)}  explain a command: scaffold help create api`,
    "",
    "Flags of every command:",
    ...globalFlags.map(([flag, help]) => `  ${flag.padEnd(flagWidth)}  ${help}`),
    "",
    "scaffold <command> --help explains a command.",
  ].join("\n");
}

/** Builds the parser of one command. `parse` throws a usage error for what the command does not understand. */
export async function commandProgram(
  entry: CommandEntry,
  module: CommandModule,
  env: Environment,
  events: { onHelp(text: string): void; onParsed(command: Command): void },
): Promise<{ parse(args: readonly string[]): Promise<void>; help(): string }> {
  const commander = await import("commander");
  const command = new commander.Command(`scaffold ${entry.words.join(" ")}`);
  command
    .description(entry.summary)
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    .configureOutput({ writeOut: events.onHelp, writeErr: () => undefined, getOutHelpWidth: () => columns(env) })
    .helpOption(module.ownHelp === true ? "--help" : "-h, --help", "explain this command");
  module.define(command);
  // Habit has it on every command; only `init` has a choice to make.
  if (module.ownHelp !== true && !command.options.some(({ long }) => long === "--plugins")) {
    command.addOption(new commander.Option("--plugins <keys>").hideHelp());
  }
  for (const [flag, help] of globalFlags) command.option(flag === "--yes" ? "-y, --yes" : flag, help);
  refuseContradictions(command);
  // The action is only a hook into a finished parse: the command itself runs outside of commander.
  command.action(() => events.onParsed(command));
  return {
    help: () => command.helpInformation(),
    parse: async (args) => {
      try {
        await command.parseAsync([...args], { from: "user" });
      } catch (error) {
        if (!(error instanceof commander.CommanderError)) throw error;
        if (error.code === "commander.helpDisplayed" || error.code === "commander.help") return;
        throw usageError(complaint(error, command, entry), helpHint(entry));
      }
    },
  };
}

/** The last of two values would win; which of them is meant nobody can tell. */
function refuseContradictions(command: Command): void {
  for (const option of command.options.filter(({ variadic }) => !variadic)) {
    const flag = option.long ?? option.flags;
    let first: { readonly value: unknown } | undefined;
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (first !== undefined && first.value !== value) {
        throw usageError(`${flag} is given twice, with different values: give it once`, `for example ${flag} ${value}`);
      }
      first = { value };
    });
  }
}

/** What the parser doesn't like, in one line that any terminal can show. */
function complaint(error: CommanderError, command: Command, entry: CommandEntry): string {
  if (error.code === "commander.excessArguments") {
    // "--group --version v1": the second flag was taken for the first one's value, and what is too many is its own.
    for (const { long, required, name } of command.options.map((option) => ({
      ...option,
      name: option.attributeName(),
    }))) {
      const value: unknown = command.getOptionValue(name);
      if (required && typeof value === "string" && value.startsWith("-")) {
        return `${long} needs a value, and ${shown(value)} looks like a flag`;
      }
    }
    const taken = command.registeredArguments.length;
    const extra = shown(command.args[taken] ?? "");
    const name = `scaffold ${entry.words.join(" ")}`;
    return taken === 0 ? `${name} takes flags only, ${extra} is none` : `${name}: ${extra} is one argument too many`;
  }
  if (error.code === "commander.optionMissingArgument") {
    const flag = /--[a-z-]+/.exec(error.message)?.[0];
    if (flag !== undefined) return `${flag} needs a value`;
  }
  const message = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  // Go's flags have one dash, ours two.
  const flag = /^unknown option '-([a-z][a-z-]+)(=.*)?'$/.exec(message)?.[1];
  const twoDashes = command.options.find(({ long }) => flag !== undefined && long === `--${flag}`)?.long;
  return `${printable(message)}${twoDashes === undefined ? "" : ` (Did you mean ${twoDashes}?)`}`;
}

function helpHint(entry: CommandEntry): string {
  return `scaffold ${entry.words.join(" ")} --help shows the flags`;
}
