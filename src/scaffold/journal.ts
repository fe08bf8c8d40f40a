import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { insidePath } from "./inside.ts";
import type { Operation } from "./operation.ts";

const file = "journal.json";

/** What a commit is about to do, so that a later run can take it back. */
interface Journal {
  readonly entries: readonly Entry[];
  /** The directories that it makes, those that hold others first. */
  readonly directories: readonly string[];
}

interface Entry {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** The file in the staging directory that holds what was there. */
  readonly backup?: string;
  /** The hash of what is written. */
  readonly written?: string;
}

/** The name of a new staging directory, by which a later run knows it. */
export function stagingName(id: string): string {
  return `.kubewright-${id}.tmp`;
}

/** The file that holds what was there before an operation. */
export function backupName(index: number): string {
  return `${index}.old`;
}

/** Notes what a commit will do, before its first step. It counts until {@link closeJournal}. */
export function openJournal(root: string, staging: string, operations: readonly Operation[]): void {
  const entries = operations.map(
    (operation, index): Entry => ({
      path: operation.path,
      ...(operation.op === "create" ? {} : { backup: backupName(index) }),
      ...(operation.op === "delete" ? {} : { written: hashOf(operation.content) }),
    }),
  );
  const created = operations.flatMap(({ op, path }) => (op === "create" ? missingParents(root, path) : []));
  const journal: Journal = { entries, directories: [...new Set(created)].sort() };
  // It appears whole or not at all.
  fs.writeFileSync(join(staging, `${file}.new`), JSON.stringify(journal));
  fs.renameSync(join(staging, `${file}.new`), join(staging, file));
}

/** The commit is complete, or undone: nothing is left to take back. */
export function closeJournal(staging: string): void {
  fs.rmSync(join(staging, file), { force: true });
}

/** What became of commits that were cut off in the middle. */
export interface Undone {
  /** The files that are again as they were. */
  readonly restored: readonly string[];
  /** Those that somebody has changed since: they stay. */
  readonly kept: readonly string[];
}

/** Whether a commit in this project was cut off in the middle (the process was killed, the machine went down). */
export function wasInterrupted(root: string): boolean {
  return stagings(root).some((staging) => fs.existsSync(join(staging, file)));
}

/**
 * Takes commits back that were cut off in the middle, and removes what runs that ended early have left. Only under the
 * project's lock: a run that is at work has such a directory too. Being cut off itself, it goes on the next time.
 */
export function undoInterrupted(root: string): Undone {
  const [restored, kept]: [string[], string[]] = [[], []];
  for (const staging of stagings(root)) {
    const journal = readJournal(staging);
    for (const entry of journal?.entries ?? []) {
      const done = restore(root, staging, entry);
      if (done !== undefined) (done ? restored : kept).push(entry.path);
    }
    for (const directory of [...(journal?.directories ?? [])].reverse())
      removeIfEmpty(dirname(insidePath(root, `${directory}/-`)));
    fs.rmSync(staging, { recursive: true, force: true });
  }
  return { restored: restored.sort(), kept: kept.sort() };
}

/** Whether a file was put back; undefined where there is nothing to put back. */
function restore(root: string, staging: string, { path, backup, written }: Entry): boolean | undefined {
  const target = insidePath(root, path);
  const now = hashOfFile(target);
  const old = backup === undefined ? undefined : join(staging, backup);
  const before = old === undefined ? undefined : hashOfFile(old);
  if (now === before || (old !== undefined && before === undefined)) return undefined;
  // Where neither what was there nor what was written lies there, somebody has worked on it.
  if (now !== undefined && now !== written) return false;
  if (old === undefined) fs.rmSync(target);
  else {
    fs.mkdirSync(dirname(target), { recursive: true });
    fs.renameSync(old, target);
  }
  return true;
}

function stagings(root: string): string[] {
  return fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\.kubewright-[0-9a-f-]{36}\.tmp$/.test(entry.name))
    .map(({ name }) => join(root, name));
}

function readJournal(staging: string): Journal | undefined {
  const path = join(staging, file);
  return fs.existsSync(path) ? (JSON.parse(fs.readFileSync(path, "utf8")) as Journal) : undefined;
}

/** The directories on the way to a file that aren't there yet. */
function missingParents(root: string, path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts
    .map((_, index) => parts.slice(0, index + 1).join("/"))
    .filter((directory) => !fs.existsSync(join(root, directory)));
}

function removeIfEmpty(directory: string): void {
  if (fs.existsSync(directory) && fs.readdirSync(directory).length === 0) fs.rmdirSync(directory);
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function hashOfFile(path: string): string | undefined {
  return fs.existsSync(path) ? hashOf(fs.readFileSync(path)) : undefined;
}
