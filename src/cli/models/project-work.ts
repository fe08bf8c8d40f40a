import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../project/project-file.ts";
import { undoInterrupted, wasInterrupted } from "../../scaffold/files/journal.ts";
import type { Operation, Plan } from "../../scaffold/files/operation.ts";
import type { Tree } from "../../scaffold/files/tree.ts";
import type { Format } from "../../scaffold/format/format.ts";
import type { Templates } from "../../scaffold/templates/templates.ts";
import type { CommandContext, CommandResult } from "../framework/command.ts";
import { workError } from "../framework/errors.ts";
import { accepted, withCliErrors } from "../framework/problems.ts";
import { changesText, operationLines } from "../framework/report.ts";
import { packageRoot } from "../framework/version.ts";
import { wayToProject } from "./nearest-project.ts";
import { formattedPlan } from "./project-format.ts";

/** Returns the directory of the CLI's templates. */
export function templatesDirectory(): string {
  return join(packageRoot(), "templates");
}

/** The inputs of planning in addition to PROJECT: the files, the templates, and the year for license headers. */
export interface ScaffoldContext {
  readonly tree: Tree;
  readonly templates: Templates;
  readonly year: number;
}

/** Opens the files in the working directory, and the templates. */
export async function openScaffold({ cwd }: CommandContext): Promise<ScaffoldContext> {
  const { openTree } = await import("../../scaffold/files/tree.ts");
  const { openTemplates } = await import("../../scaffold/templates/templates.ts");
  const tree = openTree(cwd);
  return { tree, templates: await openTemplates(templatesDirectory()), year: new Date().getFullYear() };
}

/**
 * Plans and applies changes under the project's lock, and lists the changed files. The project's own formatter formats them before
 * they are written. With `--dry-run` it writes nothing and lists every path.
 *
 * @param makePlan creates the plan; called with the lock held, so that it sees the changes of earlier runs, and with the
 * project's formatter, for merges
 * @param done returns the message for a successful run
 * @param listAgain how to list all notes after a successful run: flags, and where to use them
 */
export async function planAndApply(
  context: CommandContext,
  makePlan: (format: Format) => Promise<Plan>,
  done: (plan: Plan) => string,
  listAgain = "--dry-run --json",
): Promise<CommandResult> {
  const { terminal, signal, globals } = context;
  const { applyPlan } = await import("../../scaffold/files/apply.ts");
  const { withLock } = await import("../../scaffold/files/lock.ts");
  const { openTree } = await import("../../scaffold/files/tree.ts");
  const { root } = openTree(context.cwd);
  const plan = await withCliErrors(() =>
    withLock(
      root,
      async () => {
        undoInterruptedRun(root, context);
        const made = await formattedPlan(context, makePlan);
        const onReady = () => warnOfOverwrites(made, context);
        if (globals.dryRun || made.operations.length === 0) onReady();
        else await applyPlan(made, { signal, onReady });
        listKept(made, context, globals.dryRun ? "--dry-run --json" : listAgain);
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
  const noted = plan.notes === undefined || plan.notes.length === 0 ? {} : { notes: plan.notes };
  const contents = globals.embedded === true && globals.dryRun ? { contents: plan.operations.map(encoded) } : {};
  const data = { data: { ...noted, ...contents } };
  if (globals.dryRun) return { exitCode: 0, operations, ...data, output: operationLines(operations).join("\n") };
  return { exitCode: 0, operations, ...data, output: changesText(operations, done(plan), globals) };
}

/** Returns an operation with its content in base64. */
function encoded(operation: Operation): object {
  if (operation.op === "delete") return operation;
  return { ...operation, content: Buffer.from(operation.content as Uint8Array).toString("base64") };
}

/** Lists the files that are about to be overwritten. Not called if the command fails before that. */
function warnOfOverwrites(plan: Plan, { terminal }: CommandContext): void {
  for (const path of plan.overwritten) terminal.warn(`overwriting ${path}`);
}

/** Maximum number of printed notes: a CRD may cause one per field. The JSON output has all of them. */
const printedNotes = 200;
/** Maximum length of a printed note in characters, because paths and patterns can have any length. */
const printedLength = 300;

/** Lists the user's files that were kept, and remaining steps. */
function listKept(plan: Plan, { terminal }: CommandContext, listAgain: string): void {
  for (const path of plan.kept) terminal.note(`kept ${path}, because you changed it`);
  const notes = plan.notes ?? [];
  const printed = notes.slice(0, printedNotes);
  for (const line of printed) terminal.note(shortened(line));
  const more = notes.length - printed.length;
  const long = printed.filter((line) => shortened(line) !== line).length;
  const incomplete =
    more > 0 ? `${more} more notes` : long > 0 ? `${long} ${long === 1 ? "note is" : "notes are"} shortened` : "";
  if (incomplete !== "") {
    terminal.note(`${incomplete}: npx scaffold … ${listAgain} lists all of them as "notes"`);
  }
}

/** Shortens a note in its middle: it begins with the place, and ends with the field and its difference. */
function shortened(note: string): string {
  if (note.length <= printedLength) return note;
  const half = printedLength / 2;
  return `${note.slice(0, half)} … ${note.slice(-half)}`;
}

/** Undoes the changes of a run that was killed. Requires the project's lock. A dry run fails instead. */
function undoInterruptedRun(root: string, { terminal, globals }: CommandContext): void {
  const interrupted = wasInterrupted(root);
  if (globals.dryRun) {
    if (!interrupted) return;
    throw workError(
      "interrupted-run",
      "a command was killed while it wrote to this project, and its changes are incomplete",
      "run the command without --dry-run, which undoes those changes first",
    );
  }
  const { restored, kept } = undoInterrupted(root);
  if (!interrupted) return;
  terminal.warn(
    `a command was killed while it wrote to this project: its changes were undone${restored.length === 0 ? "" : ` (${restored.join(", ")})`}`,
  );
  for (const path of kept)
    terminal.warn(`kept ${path}: it was modified after the interrupted run; review it with git diff`);
}

/**
 * Loads the project in the working directory.
 *
 * @throws CliError if there is none, or PROJECT is invalid
 */
export async function loadProject(context: CommandContext): Promise<Project> {
  const { openTree } = await import("../../scaffold/files/tree.ts");
  const text = await withCliErrors(async () => {
    const tree = openTree(context.cwd);
    if (wasInterrupted(tree.root)) {
      const { withLock } = await import("../../scaffold/files/lock.ts");
      await withLock(tree.root, async () => undoInterruptedRun(tree.root, context), { signal: context.signal });
    }
    return tree.readText("PROJECT");
  });
  if (text === undefined) throw notAProject(context.cwd);
  // Imported here, because help texts don't need the YAML parser.
  const { readProject } = await import("../../project/project-file.ts");
  return accepted(readProject(text));
}

/**
 * Checks that PROJECT is still valid, for commands that run for long.
 *
 * @throws CliError if it isn't
 */
export async function checkProjectFile(root: string): Promise<void> {
  const path = join(root, "PROJECT");
  if (!existsSync(path)) return;
  const { readProject } = await import("../../project/project-file.ts");
  accepted(readProject(readFileSync(path, "utf8")));
}

/** Creates the error of a command that requires a project. */
export function notAProject(cwd: string): Error {
  const way = wayToProject(cwd);
  return workError(
    "not-a-project",
    "this directory has no PROJECT file",
    way === undefined
      ? "change to the project's directory, or create one: npm create kubewright@latest"
      : `the project is in a parent directory: ${way}`,
  );
}
