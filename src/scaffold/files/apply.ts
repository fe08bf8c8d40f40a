import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { constants } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { systemHint } from "../../project/system-hint.ts";
import { insidePath } from "./inside.ts";
import { backupName, moveFile, type OpenJournal, openJournal, stagingName } from "./journal.ts";
import type { Operation, Plan } from "./operation.ts";

/** The next step: a file is staged, moved to its place, or the temporary files are removed. */
export type ApplyStep = "stage" | "commit" | "clear";

export interface ApplyOptions {
  readonly signal?: AbortSignal;
  /** Called when all files are staged. From then on, signals are ignored until the plan is applied. */
  readonly onReady?: () => void;
  /** Called before each step with its name and path. Its exceptions are handled like disk errors. */
  readonly onStep?: (step: ApplyStep, path: string) => void;
}

/** A staged operation: the file to move, and the one to restore on failure. */
interface Step {
  readonly operation: Operation;
  readonly target: string;
  readonly staged?: string;
  readonly backup?: string;
}

/**
 * Applies a plan completely or not at all. Files are first staged in a temporary directory inside the project, on the same
 * disk, so that a full disk is noticed early. An error or abort during staging leaves the tree unchanged. Then files are
 * renamed without a pause for signals; if a rename fails, the previous ones are undone. A process that is killed in this
 * phase leaves a journal, with which `undoInterrupted` undoes its changes.
 *
 * @throws ProblemError `interrupted` or `write-failed`; the tree is unchanged
 */
export async function applyPlan(plan: Plan, options: ApplyOptions = {}): Promise<void> {
  if (plan.operations.length === 0) return;
  const at = { path: "." };
  const noting: ApplyOptions = {
    ...options,
    onStep: (step, path) => {
      at.path = path;
      options.onStep?.(step, path);
    },
  };
  const id = randomUUID();
  const staging = join(plan.root, stagingName(id));
  let journal: OpenJournal | undefined;
  try {
    // Check all paths before writing: a link may lead out of the project.
    const targets = plan.operations.map((operation) => insidePath(plan.root, operation.path));
    journal = openJournal(plan.root, id);
    await mkdir(staging);
    const steps = await stage(plan.operations, targets, staging, noting);
    options.onReady?.();
    journal.begin(staging, plan.operations);
    commit(plan.root, steps, noting);
    options.onStep?.("clear", ".");
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // The paths in the system's message are those of the temporary staging directory, which mean nothing to the user.
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = message.replace(/, \w+( '.*)?$/s, "");
    const where = at.path === "." ? "this directory" : at.path;
    throw new ProblemError(
      "write-failed",
      `${where} can't be written, nothing was changed: ${reason}`,
      systemHint(code),
    );
  } finally {
    journal?.settle();
    await rm(staging, { recursive: true, force: true });
    journal?.close();
  }
}

async function stage(
  operations: readonly Operation[],
  targets: readonly string[],
  staging: string,
  options: ApplyOptions,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [index, operation] of operations.entries()) {
    options.onStep?.("stage", operation.path);
    if (options.signal?.aborted) throw new ProblemError("interrupted", "interrupted, nothing was changed");
    const target = targets[index] ?? "";
    const staged = operation.op === "delete" ? undefined : join(staging, `${index}.new`);
    const backup = operation.op === "create" ? undefined : join(staging, backupName(index));
    if (backup !== undefined) await copyFile(target, backup, constants.COPYFILE_EXCL);
    if (staged !== undefined && operation.op !== "delete") {
      // An update preserves the file's mode: the new text is written to a copy of the old file.
      if (backup !== undefined) await copyFile(target, staged, constants.COPYFILE_EXCL);
      await writeFile(staged, operation.content);
    }
    steps.push({ operation, target, staged, backup });
  }
  // Handle a signal that arrived during the last file before the point of no return.
  await new Promise((resolve) => setImmediate(resolve));
  if (options.signal?.aborted) throw new ProblemError("interrupted", "interrupted, nothing was changed");
  return steps;
}

/** Synchronous from the first rename to the last, so that no signal handler runs in between. */
function commit(root: string, steps: readonly Step[], options: ApplyOptions): void {
  const undo: (() => void)[] = [];
  try {
    for (const { operation, target, staged, backup } of steps) {
      options.onStep?.("commit", operation.path);
      // Don't follow a link that has replaced a directory in the meantime.
      if (insidePath(root, operation.path) !== target) {
        throw new ProblemError(
          "changed-meanwhile",
          `${operation.path} moved while the command ran; nothing was changed`,
        );
      }
      if (staged === undefined) {
        fs.rmSync(target);
        undo.push(() => moveFile(backup ?? "", target));
        removeEmptyDirectories(dirname(target), root, undo);
      } else {
        makeDirectories(dirname(target), undo);
        if (operation.op === "create" && fs.existsSync(target)) {
          throw new ProblemError(
            "changed-meanwhile",
            `${operation.path} appeared while the command ran; nothing was changed`,
          );
        }
        moveFile(staged, target);
        undo.push(() => (backup === undefined ? fs.rmSync(target, { force: true }) : moveFile(backup, target)));
      }
    }
  } catch (error) {
    const failed: unknown[] = [];
    for (const step of undo.reverse()) {
      try {
        step();
      } catch (second) {
        failed.push(second);
      }
    }
    if (failed.length === 0) throw error;
    const reasons = [error, ...failed].map((reason) => (reason as Error).message).join("; ");
    throw new ProblemError("undo-failed", `writing failed and not everything could be put back: ${reasons}`);
  }
}

function makeDirectories(directory: string, undo: (() => void)[]): void {
  if (fs.existsSync(directory)) return;
  makeDirectories(dirname(directory), undo);
  fs.mkdirSync(directory);
  undo.push(() => fs.rmdirSync(directory));
}

/** Removes directories that a deletion leaves empty, because git wouldn't keep them either. */
function removeEmptyDirectories(directory: string, root: string, undo: (() => void)[]): void {
  if (directory === root || !directory.startsWith(root) || fs.readdirSync(directory).length > 0) return;
  fs.rmdirSync(directory);
  undo.push(() => fs.mkdirSync(directory));
  removeEmptyDirectories(dirname(directory), root, undo);
}
