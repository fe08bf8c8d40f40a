import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PlannedWrite } from "./plan.ts";

/**
 * Writes what changed, all or nothing: everything is written beside its place first and then moved there. If that
 * fails, what was there is put back and the error thrown.
 */
export function applyPlan(writes: readonly PlannedWrite[]): void {
  const changes = writes.filter((write) => write.action !== "unchanged");
  const staged: { temporary: string; write: PlannedWrite }[] = [];
  const done: PlannedWrite[] = [];
  const made: string[] = [];
  try {
    for (const write of changes) {
      if (write.after === undefined) continue;
      const first = mkdirSync(dirname(write.path), { recursive: true });
      if (first !== undefined) made.push(...directoriesBetween(first, dirname(write.path)));
      const name = `.${basename(write.path)}.${randomBytes(6).toString("hex")}.tmp`;
      const temporary = join(dirname(write.path), name);
      staged.push({ temporary, write });
      writeFileSync(temporary, write.after, { flag: "wx" });
    }
    for (const { temporary, write } of staged) {
      renameSync(temporary, write.path);
      done.push(write);
    }
    for (const write of changes) {
      if (write.after !== undefined) continue;
      rmSync(write.path);
      done.push(write);
    }
  } catch (error) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    for (const write of done) restore(write);
    for (const directory of made.reverse()) removeIfEmpty(directory);
    throw error;
  }
}

function restore({ path, before }: PlannedWrite): void {
  if (before === undefined) rmSync(path, { force: true });
  else writeFileSync(path, before);
}

function directoriesBetween(first: string, last: string): string[] {
  const found = [last];
  while (found[0] !== undefined && found[0] !== first && dirname(found[0]) !== found[0])
    found.unshift(dirname(found[0]));
  return found;
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Somebody else put something there: then it isn't ours to remove.
  }
}
