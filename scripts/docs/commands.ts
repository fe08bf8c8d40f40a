// Checks the command lines in the documentation: with the real parsers for our own commands.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS, parseCall } from "../../packages/runtime/src/envtest/setup/main.ts";
import { commands } from "../../src/cli/commands.ts";
import { CliError } from "../../src/cli/framework/errors.ts";
import { findCommand } from "../../src/cli/framework/find-command.ts";
import { commandProgram } from "../../src/cli/framework/program.ts";
import { parseOptions } from "../../src/generate/options/index.ts";
import { isForContributors, root } from "./pages.ts";
import type { Call } from "./shell.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const scriptsOf = (text: string): string[] => [...text.matchAll(/^ {4}"([^"]+)": "/gm)].map(([, name = ""]) => name);

// Read the templates themselves, because the documentation also covers parts that some projects don't have.
const makefile = read("templates/init/Makefile.hbs");
const targets = new Set([...makefile.matchAll(/^([a-z][\w -]*):/gm)].flatMap(([, names = ""]) => names.split(" ")));
const variables = new Set([...makefile.matchAll(/^ *([A-Za-z][\w-]*) \??=/gm)].map(([, name = ""]) => name));
const projectScripts = scriptsOf(read("templates/init/package.json.hbs"));
const ownScripts = Object.keys(JSON.parse(read("package.json")).scripts);

/** Other programs and their documented subcommands; an empty list allows any arguments. */
const others: Readonly<Record<string, readonly string[]>> = {
  cd: [],
  cp: [],
  curl: [],
  docker: ["build", "push", "buildx"],
  git: ["add", "commit", "diff", "init", "log", "ls-remote", "status"],
  helm: ["install", "upgrade", "uninstall"],
  export: [],
  go: ["test"],
  kind: ["create", "delete", "load"],
  kubectl: [
    "apply",
    "create",
    "delete",
    "describe",
    "edit",
    "get",
    "kustomize",
    "label",
    "logs",
    "patch",
    "port-forward",
    "scale",
    "wait",
  ],
  mkdir: [],
  node: [],
  pnpm: ["add", "dlx", "exec", "install"],
  syft: [],
  trivy: ["image"],
  unset: [],
  vitest: ["run"],
  yarn: ["add", "dlx", "install", "scaffold"],
};

/** Returns the error in a call; `undefined` if there is none. */
export async function problemOf(call: Call): Promise<string | undefined> {
  const [program = "", ...rest] = call.words;
  if (program === "") return undefined;
  if (program === "npx")
    return npx(
      call,
      rest.filter((word) => !/^(-y|--yes)$/.test(word)),
    );
  if (program === "scaffold" || program === "kubewright") return scaffold(call, rest);
  if (program === "make") return make(rest);
  if (program === "npm") return npm(call, rest);
  if (program === "node" && isForContributors(call.page)) return missingFile(rest[0]);
  if (rest[0] === "create" && /^(pnpm|yarn|bun)$/.test(program)) return created(call, rest.slice(1));
  const check = others[program];
  if (check === undefined) return `unknown program ${program}`;
  const command = rest.find((word) => !word.startsWith("-"));
  if (check.length > 0 && !check.includes(command ?? ""))
    return `${program} ${command} is not among ${check.join(", ")}`;
  return undefined;
}

function npx(call: Call, [program = "", ...rest]: readonly string[]): Promise<string | undefined> | string | undefined {
  const name = program.replace(/@[^@/]+$/, "");
  if (name === "scaffold" || name === "kubewright") return scaffold(call, rest);
  if (name === "setup-envtest") return envtest(rest);
  if (name === "@kubewright/apiserver") return apiserver(rest);
  if (isForContributors(call.page) && existsSync(join(root, "node_modules/.bin", name))) return undefined;
  return `npx ${program} is not one of our programs`;
}

/** Parses a call with the command line's own parser, without running it. In a sentence, a flag may have no value. */
async function scaffold({ inText = false }: Call, args: readonly string[]): Promise<string | undefined> {
  const words = args.slice(args[0] === "help" ? 1 : 0).filter((word) => !inText || word !== "…");
  if (words.length === 0 || words[0] === "--help") return undefined;
  const entry = findCommand(commands, words);
  if (entry === undefined) {
    const isFamily = inText && words.length === 1 && commands.some((command) => command.words[0] === words[0]);
    return isFamily ? undefined : `there is no command "${words.join(" ")}"`;
  }
  const rest = words.slice(entry.words.length);
  try {
    const given: string[] = [];
    const program = await commandProgram(
      entry,
      await entry.load(),
      {},
      {
        onHelp: () => undefined,
        onParsed: ({ args }) => void given.push(...args),
      },
    );
    await program.parse(rest);
    const asksForHelp = rest.some((word) => /^-[hw]+$/.test(word));
    if (entry.words[0] !== "generate" || given.length === 0 || asksForHelp) return undefined;
    return parseOptions(given).problems.map(({ message }) => message)[0];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return inText && error.message.endsWith("needs a value") ? undefined : error.message;
  }
}

function envtest(args: readonly string[]): string | undefined {
  try {
    const { positionals } = parseCall(args, {});
    return COMMANDS.has(positionals[0] ?? "") ? undefined : `setup-envtest has no command ${positionals[0]}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function apiserver([first = ""]: readonly string[]): string | undefined {
  return first === "assets" || first.startsWith("--") ? undefined : `kubewright-apiserver has no command ${first}`;
}

function make(args: readonly string[]): string | undefined {
  for (const word of args) {
    const variable = /^([\w-]+)=/.exec(word)?.[1];
    if (variable !== undefined && !variables.has(variable)) return `the Makefile has no variable ${variable}`;
    if (variable === undefined && !targets.has(word)) return `the Makefile has no target ${word}`;
  }
  return undefined;
}

/** Checks the words after `npm create` as those of the command that it runs. */
async function created(call: Call, words: readonly string[]): Promise<string | undefined> {
  const [name = "", ...rest] = words.filter((word) => !["--yes", "-y", "--"].includes(word));
  if (!/^kubewright(@latest)?$/.test(name)) return `${name} isn't created by one of our packages`;
  return scaffold(call, ["create", "project", ...rest]);
}

function npm(
  call: Call,
  [command = "", name = "", ...rest]: readonly string[],
): Promise<string | undefined> | string | undefined {
  if (command === "create") return created(call, [name, ...rest]);
  if (["ci", "install", "test", "start", "pack", "publish", "audit"].includes(command)) return undefined;
  if (command !== "run") return `npm ${command} is not used here`;
  const scripts = isForContributors(call.page) ? [...projectScripts, ...ownScripts] : projectScripts;
  return scripts.includes(name) ? undefined : `package.json has no script ${name}`;
}

function missingFile(path = ""): string | undefined {
  return path.startsWith("-") || path.startsWith("dist/") || existsSync(join(root, path))
    ? undefined
    : `${path} is not here`;
}
