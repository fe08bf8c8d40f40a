import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { domainProblem, projectNameProblem } from "../../project/names.ts";
import { newProjectText, readProject } from "../../project/project-file.ts";
import { packageIdentity } from "../../project/repo.ts";
import type { Plan } from "../../scaffold/files/operation.ts";
import type { Tree } from "../../scaffold/files/tree.ts";
import type { Templates } from "../../scaffold/templates/templates.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError, workError } from "../framework/errors.ts";
import { switchValue, textFlag } from "../framework/flags.ts";
import { accepted, refuse, withCliErrors } from "../framework/problems.ts";
import { askText, askYesNo } from "../framework/prompts.ts";
import { operationLines } from "../framework/report.ts";
import { cliVersion, packageRoot } from "../framework/version.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { fetchDependencies, packageManager } from "../models/fetch-dependencies.ts";
import { licenseText } from "../models/license.ts";
import { askDomain, checkNode, defaultDomain, nameOfDirectory, warnOfPath } from "../models/new-project.ts";
import { formatWritten } from "../models/project-format.ts";
import { openScaffold, planAndApply, templatesDirectory } from "../models/project-work.ts";

const defaultName = "website";

/** `scaffold create project`, and `npm create kubewright`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Create a project with a working operator in a new directory. The operator keeps a Deployment for each object of the kind Website. On a terminal, the command asks for what you leave out, and offers to start scaffold dev.",
      )
      .addArgument(
        program.createArgument(
          "[directory]",
          `the new directory, or . for this one; its name is the project's (${defaultName})`,
        ),
      )
      .option("--domain <name>", `domain suffix for API groups (default: "${defaultDomain}")`)
      .option("--fetch-deps [bool]", "install npm packages (default: true)", switchValue("--fetch-deps"))
      .option("--dev [bool]", "start scaffold dev at the end, without asking", switchValue("--dev"));
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, globals, cwd, env, terminal } = context;
  checkNode();
  const given = textFlag(options, "domain");
  refuse([given === undefined ? undefined : domainProblem(given)]);
  const fetches = options.fetchDeps !== false;
  if (!fetches && options.dev === true) {
    throw usageError("--dev can't be combined with --fetch-deps=false: the operator needs its packages");
  }
  const directory = resolve(cwd, context.args[0] ?? (await askName(context)));
  const projectName = nameOfDirectory(directory, "choose another directory, such as my-operator");
  refuseFiles(directory, cwd);
  const domain = given ?? (await askDomain(context));
  // Everything is given if the README's line is pasted: the next line must not become an answer.
  const asks = terminal.interactive && (context.args[0] === undefined || given === undefined);
  warnOfPath(terminal, directory);
  const npm = packageIdentity(projectName);
  if (npm === undefined) throw usageError(`${shown(projectName)} isn't a valid package name`);
  const manager = packageManager(env.npm_config_user_agent);
  const boilerplate = await licenseText(context, undefined);
  const settings = { projectName, domain, repo: projectName, multigroup: false, namespaced: false };
  const projectText = newProjectText({ ...settings, cliVersion: cliVersion() });
  const plan = async (tree: Tree, templates: Templates, year: number): Promise<Plan> => {
    const { planCreateProject } = await import("../../scaffold/commands/create-project.ts");
    const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
    const references = packageReferences(packageRoot());
    const project = accepted(readProject(projectText));
    const coreKinds = await coreKindTable();
    return planCreateProject(tree, templates, {
      project,
      npm,
      boilerplate,
      year,
      references,
      coreKinds,
      packageManager: manager,
    });
  };
  if (globals.dryRun) return preview(plan);

  const inside = { ...context, cwd: directory };
  const result = await inDirectory(directory, () =>
    planAndApply(
      inside,
      async () => {
        const { tree, templates, year } = await openScaffold(inside);
        return plan(tree, templates, year);
      },
      () => "",
    ),
  );
  if (fetches) {
    await fetchDependencies(inside);
    await formatWritten(inside, result.operations);
  }
  const path = relative(cwd, directory);
  const enter = path === "" ? [] : [`cd ${/[^\w./-]/.test(path) ? `"${path}"` : path}`];
  const next = [...enter, ...(fetches ? [] : [`${manager.name} install`]), "npx scaffold dev"];
  const count = result.operations?.length;
  const output = globals.quiet
    ? ""
    : `Created project ${projectName} with the kind Website: ${count} files. Next:\n\n${next.map((line) => `  ${line}\n`).join("")}`;
  const created = { ...result, output };
  if (!(options.dev ?? (asks && fetches))) return created;
  context.emit(created);
  const ended: CommandResult = { exitCode: 0, silent: true };
  if (options.dev === undefined && !(await askYesNo(terminal, context.signal, "Start scaffold dev now"))) return ended;
  const flags = (["json", "quiet", "verbose"] as const).filter((flag) => globals[flag]).map((flag) => `--${flag}`);
  const code = await context.call(["dev", ...flags], { cwd: directory });
  return { ...ended, exitCode: code === 0 || code === 130 ? code : 1 };
}

async function askName({ terminal, signal }: CommandContext): Promise<string> {
  if (!terminal.interactive) return defaultName;
  return askText(terminal, signal, { message: "Name of the project", default: defaultName, check: projectNameProblem });
}

/** Refuses a directory with files, except for those of a new Git repository. */
function refuseFiles(directory: string, cwd: string): void {
  let present: string[];
  try {
    present = readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (present.every((name) => name === ".git")) return;
  const name = directory === cwd ? "this directory" : shown(relative(cwd, directory));
  throw workError(
    "directory-not-empty",
    `${name} isn't empty`,
    "choose a new directory, or add a project to one with files: npx kubewright@latest init",
  );
}

/** Returns the operations for a directory that doesn't exist yet. */
async function preview(
  plan: (tree: Tree, templates: Templates, year: number) => Promise<Plan>,
): Promise<CommandResult> {
  const { MemoryTree } = await import("../../scaffold/files/memory-tree.ts");
  const { openTemplates } = await import("../../scaffold/templates/templates.ts");
  const templates = await openTemplates(templatesDirectory());
  const made = await withCliErrors(() => plan(new MemoryTree(), templates, new Date().getFullYear()));
  const operations = made.operations.map(({ op, path }) => ({ op, path }));
  return { exitCode: 0, operations, output: operationLines(operations).join("\n") };
}

/** Runs work in a directory that is created for it, and removed if the work fails and leaves it empty. */
async function inDirectory<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const first = mkdirSync(directory, { recursive: true });
  try {
    return await work();
  } catch (error) {
    if (first !== undefined) removeEmpty(directory, first);
    throw error;
  }
}

/** Removes a directory and its empty parents, up to the first that was created. */
function removeEmpty(directory: string, first: string): void {
  try {
    rmdirSync(directory);
  } catch {
    return;
  }
  if (directory !== first) removeEmpty(dirname(directory), first);
}
