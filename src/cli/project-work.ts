import { join } from "node:path";
import type { Project } from "../project/project-file.ts";
import { undoInterrupted, wasInterrupted } from "../scaffold/journal.ts";
import type { Plan } from "../scaffold/operation.ts";
import type { CommandContext, CommandResult } from "./command.ts";
import { workError } from "./errors.ts";
import { wayToProject } from "./nearest-project.ts";
import { accepted, scaffolding } from "./problems.ts";
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
  const { root } = openTree(context.cwd);
  const plan = await scaffolding(() =>
    withLock(
      root,
      async () => {
        takeBack(root, context);
        const made = await makePlan();
        const onReady = () => tellOverwritten(made, context);
        if (globals.dryRun || made.operations.length === 0) onReady();
        else await applyPlan(made, { signal, onReady });
        tellKept(made, context);
        return made;
      },
      {
        signal,
        onWait: (pid) => terminal.note(`Waiting for another run in this project (process ${pid}) …`),
        onRefused: (line) => terminal.warn(line),
      },
    ),
  );
  const operations = plan.operations.map(({ op, path }) => ({ op, path }));
  const list = operations.map(({ op, path }) => `${op} ${path}`).join("\n");
  if (globals.dryRun) return { exitCode: 0, operations, output: list };
  terminal.detail(list);
  return { exitCode: 0, operations, output: globals.quiet ? "" : done(plan) };
}

/** Names the files that are about to be overwritten; not if the command ends before that. */
function tellOverwritten(plan: Plan, { terminal }: CommandContext): void {
  for (const path of plan.overwritten) terminal.warn(`${path} is overwritten`);
}

/** Names the files that stayed, and what else is left to do. */
function tellKept(plan: Plan, { terminal }: CommandContext): void {
  for (const path of plan.kept) terminal.note(`${path} is yours and stays as it is`);
  for (const line of plan.notes ?? []) terminal.note(line);
}

/** Takes back what a run that was killed has written half. Only under the project's lock; a dry run refuses instead. */
function takeBack(root: string, { terminal, globals }: CommandContext): void {
  const interrupted = wasInterrupted(root);
  if (globals.dryRun) {
    if (!interrupted) return;
    throw workError(
      "interrupted-run",
      "a command was killed while it wrote to this project, and half of its files are there",
      "the next command without --dry-run takes them back first",
    );
  }
  const { restored, kept } = undoInterrupted(root);
  if (!interrupted) return;
  terminal.warn(
    `a command was killed while it wrote to this project: it is taken back${restored.length === 0 ? "" : ` (${restored.join(", ")})`}`,
  );
  for (const path of kept) terminal.warn(`${path} was written by it and changed since: it stays, look at git diff`);
}

/** The project in a directory. Throws where there is none, or where PROJECT can't be read. */
export async function loadProject(context: CommandContext): Promise<Project> {
  const { openTree } = await import("../scaffold/tree.ts");
  const text = await scaffolding(async () => {
    const tree = openTree(context.cwd);
    if (wasInterrupted(tree.root)) {
      const { withLock } = await import("../scaffold/lock.ts");
      await withLock(tree.root, async () => takeBack(tree.root, context), { signal: context.signal });
    }
    return tree.readText("PROJECT");
  });
  if (text === undefined) throw notAProject(context.cwd);
  // Not from the start: a command's help needs no YAML.
  const { readProject } = await import("../project/project-file.ts");
  return accepted(readProject(text));
}

/** The error of a command that needs a project and isn't in one. */
export function notAProject(cwd: string): Error {
  const way = wayToProject(cwd);
  return workError(
    "not-a-project",
    "this directory holds no project: there is no PROJECT file",
    way === undefined
      ? "change to the project's directory, or start one with scaffold init"
      : `the project is in a directory above this one: ${way}`,
  );
}
