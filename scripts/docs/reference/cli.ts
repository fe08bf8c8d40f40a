import { type Argument, Command, type Option } from "commander";
import { commands } from "../../../src/cli/commands.ts";
import { examplesOf } from "../../../src/cli/examples.ts";
import type { CommandEntry } from "../../../src/cli/framework/command.ts";
import { globalFlags } from "../../../src/cli/framework/global-options.ts";
import { anchor, code, head, madeFrom, prose } from "./markdown.ts";

const intro = `All commands have examples, flags and exit codes. The program has two names, \`scaffold\` and \`kubewright\`. Run \`npx scaffold …\` in a project, and
\`npx kubewright@latest …\` outside of one. \`--help\` prints the description and the flags of a command.

A flag with \`[bool]\` can be used without a value: \`--multigroup\` is the same as \`--multigroup=true\`. If a command fails, the error has an id: see [errors of the scaffold commands](errors.md).`;

const outro = `## Exit codes

| Code | Meaning |
|---:|---|
| 0 | The command succeeded. |
| 1 | The command failed, the state of the project doesn't allow it, there are diagnostics with the severity error, or \`--check\` found outdated files. |
| 2 | The call is wrong: an unknown flag, an invalid value, or a reserved name. |
| 130 | Ctrl-C or SIGTERM interrupted the command. Either nothing was changed, or the whole plan was applied. |

## Environment variables

| Variable | Effect |
|---|---|
| \`CI\` | Uses defaults instead of prompting, like \`--yes\`. |
| \`NO_COLOR\`, \`FORCE_COLOR\` | Disable or enable colors. By default, they are used on terminals, except if \`TERM\` is \`dumb\`. |
| \`COLUMNS\` | The width of the help, if it isn't that of the terminal. |
| \`KUBECONFIG\` | The kubeconfig of \`doctor\`, \`dev --cluster\`, and of kubectl in \`install\`, \`deploy\` and other commands. |
| \`KUBEBUILDER_ASSETS\` | The directory with etcd and kube-apiserver, for \`doctor\`, \`dev --engine binaries\` and [tests](../guides/testing.md#the-servers). |
| \`SOURCE_DATE_EPOCH\` | The time in the bill of materials of \`build\`, in seconds since 1970. By default, it contains no time. |
| \`XDG_STATE_HOME\`, \`LOCALAPPDATA\` on Windows | The parent directory of locks and journals, which allow a command to undo an interrupted run. |
| \`NODE_DISABLE_COMPILE_CACHE=1\` | Disables the cache of compiled code, which Node 22 and later keep in the directory of temporary files. |

The commands of the make targets, such as \`deploy\`, use the same variables as the Makefile:

| Variable | Default | Effect |
|---|---|---|
| \`IMG\` | \`controller:latest\` | the image of the manager |
| \`KUBECTL\`, \`KUSTOMIZE\` | \`kubectl\`, \`kubectl kustomize\` | the programs |
| \`CONTAINER_TOOL\` | \`docker\` | the program that builds and pushes images |
| \`PLATFORMS\` | \`linux/arm64,linux/amd64,linux/s390x,linux/ppc64le\` | the platforms for \`docker-buildx\` |
| \`BASE_IMAGE\` | the image in the Dockerfile | the image in which the manager is built |
| \`IMAGE_VERSION\`, \`IMAGE_REVISION\`, \`IMAGE_SOURCE\`, \`IMAGE_LICENSES\` | the tag of \`IMG\`, the Git commit, and the values from package.json | the labels of the image |
| \`DEPLOY_TIMEOUT\` | \`3m\` | how long \`deploy\` waits for the rollout |
| \`IGNORE_NOT_FOUND\`, \`FORCE\` | \`false\` | if true, the same as \`--ignore-not-found\` and \`--force\` |
| \`KIND\`, \`KIND_CLUSTER\` | \`kind\`, \`<project>-test-e2e\` | the program and the cluster of the e2e tests |
| \`HELM\`, \`HELM_RELEASE\`, \`HELM_NAMESPACE\` | \`helm\`, \`<project>\`, \`<project>-system\` | the program, and the name and namespace of the release |
| \`HELM_EXTRA_ARGS\` | | additional flags for \`helm-deploy\` and \`helm-push\` |
| \`CHART_REPO\` | | the OCI registry of \`helm-push\`, such as \`oci://ghcr.io/acme/charts\` |
| \`VERSION\` | those of \`Chart.yaml\` | version and appVersion of \`helm-package\` and \`helm-push\` |
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
    ...head("All commands and flags of scaffold, with examples, exit codes and environment variables."),
    "# The command line",
    "",
    madeFrom("the commands themselves, src/cli/commands/; examples: src/cli/examples.ts"),
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
