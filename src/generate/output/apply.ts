import { randomBytes } from "node:crypto";
import { chmodSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRunning } from "@kubewright/apiserver/process";
import { makeDirectories, removeIfEmpty } from "./directories.ts";
import type { PlannedWrite } from "./plan.ts";
import { attempt } from "./write-error.ts";

/**
 * Writes all changes or none: writes temporary files in the same directories, and then renames them. If that fails, restores
 * the previous files and throws a `WriteError`.
 */
export function applyPlan(writes: readonly PlannedWrite[]): void {
  const changes = writes.filter((write) => write.action !== "unchanged");
  const staged: Staged[] = [];
  const done: PlannedWrite[] = [];
  const made: string[] = [];
  try {
    for (const write of changes) {
      if (write.after === undefined) continue;
      made.push(...makeDirectories(dirname(write.path)));
      stage(write, write.after, staged);
    }
    for (const { temporary, target, write } of staged) {
      attempt(write.path, "write", () => renameSync(temporary, target));
      done.push(write);
    }
    for (const write of changes) {
      if (write.after !== undefined) continue;
      attempt(write.path, "delete", () => rmSync(write.path));
      done.push(write);
    }
  } catch (error) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const write of done) restore(write);
    for (const directory of made.reverse()) removeIfEmpty(directory);
    throw error;
  }
}

interface Staged {
  readonly temporary: string;
  /** The real path of the file, if the path is a link. */
  readonly target: string;
  readonly write: PlannedWrite;
}

function stage(write: PlannedWrite, text: string, staged: Staged[]): void {
  attempt(write.path, "write", () => {
    const there = statSync(write.path, { throwIfNoEntry: false });
    const target = there ? realpathSync(write.path) : write.path;
    const directory = dirname(target);
    if (!staged.some((each) => dirname(each.target) === directory)) removeLeft(directory);
    const temporary = join(directory, `.kubewright-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
    staged.push({ temporary, target, write });
    writeFileSync(temporary, text, { flag: "wx" });
    if (there) chmodSync(temporary, there.mode & 0o7777);
  });
}

/** Removes temporary files of killed runs. */
function removeLeft(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const pid = /^\.kubewright-(\d+)-[0-9a-f]{12}\.tmp$/.exec(entry.name)?.[1];
    if (pid !== undefined && entry.isFile() && !isRunning(Number(pid)))
      rmSync(join(directory, entry.name), { force: true });
  }
}

function restore({ path, before }: PlannedWrite): void {
  if (before === undefined) rmSync(path, { force: true });
  else writeFileSync(path, before);
}
