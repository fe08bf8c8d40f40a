import { join } from "node:path";
import type { Project } from "../project/project-file.ts";
import type { Plan } from "../scaffold/operation.ts";
import type { CommandContext, CommandResult } from "./command.ts";
import { workError } from "./errors.ts";
import { problemError, scaffolding } from "./problems.ts";
import { packageRoot } from "./version.ts";

/** The templates that travel with the CLI. */
export function templatesDirectory(): string {
  return join(packageRoot(), "templates");
}

/**
 * Plans and applies under the project's lock, and reports. With `--dry-run` nothing is written and every path is listed.
 *
 * @param makePlan is called with the lock held, so that it sees what a run before this one has done
 */
export async function planAndApply(
  context: CommandContext,
  makePlan: () => Promise<Plan>,
  done: (plan: Plan) => string,
): Promise<CommandResult> {
  const { terminal, signal, globals } = context;
  const { applyPlan } = await import("../scaffold/apply.ts");
  const { withLock } = await import("../scaffold/lock.ts");
  const { openTree } = await import("../scaffold/tree.ts");
  const plan = await scaffolding(() =>
    withLock(
      openTree(context.cwd).root,
      async () => {
        const made = await makePlan();
        tellUser(made, context);
        if (!globals.dryRun) await applyPlan(made, { signal });
        return made;
      },
      { signal, onWait: (pid) => terminal.note(`Waiting for another run in this project (process ${pid}) …`) },
    ),
  );
  const operations = plan.operations.map(({ op, path }) => ({ op, path }));
  const list = operations.map(({ op, path }) => `${op} ${path}`).join("\n");
  if (globals.dryRun) return { exitCode: 0, operations, output: list };
  terminal.detail(list);
  return { exitCode: 0, operations, output: globals.quiet ? "" : done(plan) };
}

/** Names what is kept and what is about to be overwritten, before it happens. */
function tellUser(plan: Plan, { terminal }: CommandContext): void {
  for (const path of plan.kept) terminal.note(`${path} is yours and stays as it is`);
  for (const line of plan.notes ?? []) terminal.note(line);
  for (const path of plan.overwritten) terminal.warn(`${path} is overwritten`);
}

/** The project in a directory. Throws where there is none, or where PROJECT can't be read. */
export async function loadProject(cwd: string): Promise<Project> {
  const { openTree } = await import("../scaffold/tree.ts");
  const text = await scaffolding(async () => openTree(cwd).readText("PROJECT"));
  if (text === undefined) throw notAProject();
  // Not from the start: a command's help needs no YAML.
  const { readProject } = await import("../project/project-file.ts");
  const project = readProject(text);
  if ("message" in project) throw problemError(project);
  return project;
}

/** The error of a command that needs a project and isn't in one. */
export function notAProject(): Error {
  return workError(
    "not-a-project",
    "this directory holds no project: there is no PROJECT file",
    "change to the project's directory, or start one with scaffold init",
  );
}
