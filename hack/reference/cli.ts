import { type Argument, Command, type Option } from "commander";
import type { CommandEntry } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { globalFlags } from "../../src/cli/global-options.ts";
import { examplesOf } from "./cli-examples.ts";
import { anchor, code, madeFrom, prose } from "./markdown.ts";

const intro = `The command has two names, \`scaffold\` and \`kubewright\`. Run it with \`npx scaffold …\` in a project, and with
\`npx kubewright@latest …\` outside of one. The \`--help\` flag of a command prints the description on this page.`;

const outro = `## Exit codes

| code | meaning |
|---:|---|
| 0 | success |
| 1 | the work failed, the project's state doesn't allow it, there are diagnostics with severity error, or a check found stale files |
| 2 | wrong usage: an unknown flag, an invalid value, or a reserved name |
| 130 | interrupted by Ctrl-C or SIGTERM; either nothing was changed, or the whole plan was applied |

## Environment

| variable | effect |
|---|---|
| \`CI\` | uses defaults instead of prompting, as \`--yes\` does |
| \`NO_COLOR\`, \`FORCE_COLOR\` | disable or enable colors; by default, they are used on terminals |
| \`NODE_DISABLE_COMPILE_CACHE=1\` | doesn't store compiled code in the user's cache directory |
`;

/** Returns a command as its module declares it. */
export async function declared(entry: CommandEntry): Promise<Command> {
  const command = new Command(nameOf(entry));
  (await entry.load()).define(command);
  return command;
}

export function nameOf({ words }: CommandEntry): string {
  return `scaffold ${words.join(" ")}`;
}

/** Returns the text of docs/reference/cli.md. */
export async function cliReference(): Promise<string> {
  const sections = await Promise.all(commands.map(section));
  const list = commands.map((entry) => {
    const name = nameOf(entry);
    return `- [${code(name)}](#${anchor(name)}): ${prose(entry.summary)}`;
  });
  return [
    "# The command line",
    "",
    madeFrom("the commands themselves, src/cli/commands/; examples: hack/reference/cli-examples.ts"),
    "",
    intro,
    "",
    ...list,
    "",
    "## Flags of every command",
    "",
    ...globalFlags.map(([flag, help]) => `- ${code(flag === "--yes" ? "-y, --yes" : flag)}: ${prose(help)}`),
    `- ${code("-h, --help")}: show the help of the command`,
    `- ${code("--plugins <keys>")}: accepted for kubebuilder compatibility; there is only one layout`,
    "",
    ...sections.flat(),
    outro,
  ].join("\n");
}

async function section(entry: CommandEntry): Promise<string[]> {
  const command = await declared(entry);
  const flags = command.options.filter(({ hidden }) => !hidden);
  const taken = command.registeredArguments;
  const usage = [nameOf(entry), ...taken.map(argumentForm), ...(flags.length > 0 ? ["[flags]"] : [])].join(" ");
  // Further paragraphs have a layout for terminals.
  const [about = "", ...more] = command.description().split("\n\n");
  return [
    `## ${nameOf(entry)}`,
    "",
    prose(about),
    "",
    "```text",
    usage,
    "```",
    "",
    ...more.flatMap((block) => ["```text", block, "```", ""]),
    ...(taken.length === 0 ? [] : [...taken.map(argumentLine), ""]),
    ...(flags.length === 0 ? [] : [...flags.map(flagLine), ""]),
    "```sh",
    ...examplesOf(entry).map(({ line, about }) => (about === undefined ? line : `${line}    # ${about}`)),
    "```",
    "",
  ];
}

function argumentForm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentLine(argument: Argument): string {
  return `- ${code(argumentForm(argument))}: ${prose(argument.description)}${choices(argument.argChoices)}`;
}

function flagLine(option: Option): string {
  const standard = option.defaultValue === undefined ? "" : ` (default: ${code(String(option.defaultValue))})`;
  return `- ${code(option.flags)}: ${prose(option.description)}${standard}${choices(option.argChoices)}`;
}

function choices(allowed: readonly string[] | undefined): string {
  return allowed === undefined ? "" : ` (${allowed.map(code).join(", ")})`;
}
