import type { Command, CommanderError } from "commander";
import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import { unknownValue } from "../../project/unknown-value.ts";
import { printable, shown } from "../../text/shown.ts";
import { parseNotAllowed } from "./closed-list.ts";
import type { CommandEntry, CommandModule } from "./command.ts";
import { docsPage } from "./docs-links.ts";
import { usageError } from "./errors.ts";
import { switchValue } from "./flags.ts";
import { globalFlags } from "./global-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the width of help texts: that of the terminal, at most 120 columns, and 80 without a terminal. */
export function columns(env: Environment): number {
  const width = Number(env.COLUMNS ?? process.stdout.columns);
  return Number.isFinite(width) && width >= 40 ? Math.min(width, 120) : 80;
}

const helpEntry = { words: ["help"], group: "Other commands", summary: "Explain a command: scaffold help create api" };

/**
 * Returns the text of `scaffold --help`, or of a word that begins several commands, such as `scaffold create --help`. It needs
 * only the command table, so no command is loaded.
 *
 * @param entries - the listed commands
 * @param family - the first word of all of them, if they have the same
 */
export function rootHelp(entries: readonly CommandEntry[], family?: string): string {
  const width = Math.max(...entries.map(({ words }) => words.join(" ").length));
  const listed = family === undefined ? [...entries, helpEntry] : entries;
  const titles = [...new Set(listed.map(({ group }) => group))];
  const section = (title: string) => [
    `${title}:`,
    ...listed
      .filter(({ group }) => group === title)
      .map(({ words, summary }) => `  ${words.join(" ").padEnd(width)}  ${summary}`),
    "",
  ];
  const flagWidth = Math.max(...globalFlags.map(([flag]) => flag.length));
  return [
    ...(family === undefined ? ["Build Kubernetes operators in TypeScript.", ""] : []),
    `Usage: scaffold ${family === undefined ? "" : `${family} `}<command> [flags]`,
    "",
    ...titles.flatMap(section),
    "Flags of every command:",
    ...globalFlags.map(([flag, help]) => `  ${flag.padEnd(flagWidth)}  ${help}`),
    "",
    `For the flags and examples of a command, add --help. Documentation:`,
    `  ${docsPage("cli")}`,
  ].join("\n");
}

/** Builds the parser of a command. `parse` throws a usage error for invalid arguments. */
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
    .helpOption(module.ownHelp === true ? "--help" : "-h, --help", "show this help");
  module.define(command);
  // kubebuilder accepts --plugins on every command; it has an effect only on init.
  if (module.ownHelp !== true && !command.options.some(({ long }) => long === "--plugins")) {
    command.addOption(new commander.Option("--plugins <keys>").hideHelp());
  }
  for (const flag of module.ignoredFlags ?? []) {
    command.addOption(new commander.Option(`${flag} [bool]`).argParser(switchValue(flag)).hideHelp());
  }
  for (const [flag, help] of globalFlags) command.option(flag === "--yes" ? "-y, --yes" : flag, help);
  refuseContradictions(command);
  // The action only reports the finished parse; the command itself runs outside of commander.
  command.action(() => events.onParsed(command));
  return {
    help: () => command.helpInformation(),
    parse: async (args) => {
      try {
        await command.parseAsync([...args], { from: "user" });
      } catch (error) {
        if (!(error instanceof commander.CommanderError)) throw error;
        if (error.code === "commander.helpDisplayed" || error.code === "commander.help") return;
        const { message, hint = helpHint(entry) } = describeError(error, command, entry, module.removedFlags);
        throw usageError(message, hint);
      }
    },
  };
}

/** Refuses a flag with two different values, because it isn't clear which one is intended. */
function refuseContradictions(command: Command): void {
  for (const option of command.options.filter(({ variadic }) => !variadic)) {
    const flag = option.long ?? option.flags;
    let first: { readonly value: unknown } | undefined;
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (first !== undefined && first.value !== value) {
        throw usageError(`${flag} has two different values: set it once`, `for example: ${flag} ${value}`);
      }
      first = { value };
    });
  }
}

/** Describes a parser error in one printable line, with a hint if there is a better one than the command's help. */
function describeError(
  error: CommanderError,
  command: Command,
  entry: CommandEntry,
  removed: CommandModule["removedFlags"] = {},
): { readonly message: string; readonly hint?: string } {
  if (error.code === "commander.unknownOption") {
    const [flag = ""] = unknownOption(error.message)[0].split("=");
    if (Object.hasOwn(removed, flag)) {
      return { message: `${flag} was removed, as in kubebuilder 4.16`, hint: removed[flag] ?? "" };
    }
  }
  const wrong = parseNotAllowed(error.message);
  if (!wrong) return { message: describeSyntax(error, command, entry) };
  const { option, argument, value, choices } = wrong;
  return unknownValue(option?.replace(/ .*/, "") ?? argument ?? "", value, choices);
}

function describeSyntax(error: CommanderError, command: Command, entry: CommandEntry): string {
  if (error.code === "commander.excessArguments") {
    // In "--group --version v1", commander reads --version as the value of --group, and v1 as an excess argument.
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
    return taken === 0 ? `${name} takes only flags: unexpected ${extra}` : `${name}: unexpected argument ${extra}`;
  }
  if (error.code === "commander.optionMissingArgument") {
    const flag = /--[a-z-]+/.exec(error.message)?.[0];
    if (flag !== undefined) return `${flag} needs a value`;
  }
  if (error.code === "commander.unknownOption") return describeUnknownFlag(command, ...unknownOption(error.message));
  const message = error.message
    .replace(/^error: /, "")
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .replace(/'([^']{100,})'/g, (_quoted, value: string) => shown(value));
  return printable(message);
}

/** Reads the flag and the suggestion of commander's message. */
function unknownOption(message: string): [written: string, similar: string | undefined] {
  const question = "\n(Did you mean ";
  const end = message.endsWith("?)") ? message.lastIndexOf(question) : -1;
  const written = message.slice("error: unknown option '".length, (end < 0 ? message.length : end) - 1);
  return [written, end < 0 ? undefined : message.slice(end + question.length, -"?)".length).replace(/^one of /, "")];
}

function describeUnknownFlag(command: Command, written: string, similar: string | undefined): string {
  // Go programs accept flags with one dash.
  const name = /^-([a-z][a-z-]+)(=.*)?$/s.exec(written)?.[1];
  const twoDashes = command.options.find(({ long }) => name !== undefined && long === `--${name}`)?.long;
  // commander compares the value, too.
  const [flag = "", ...value] = written.split("=");
  const names = command.options.flatMap(({ long }) => long ?? []);
  const near = twoDashes ?? similar ?? (value.length > 0 ? didYouMean(flag, names) : undefined);
  return `unknown flag ${shown(written)}${near === undefined ? "" : `, did you mean ${near}?`}`;
}

function helpHint(entry: CommandEntry): string {
  return `scaffold ${entry.words.join(" ")} --help lists all flags`;
}
