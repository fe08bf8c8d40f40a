import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { insidePath } from "./inside.ts";
import type { Operation } from "./operation.ts";
import { isPrivate, privateDirectory, stateDirectory, temporaryDirectory } from "./private-directory.ts";

/**
 * The operations of a commit, so that a later run can undo them. It is outside of the project, with this user's own files: a
 * checkout can contain a directory that looks like a staging directory, but no journal for it.
 */
interface Journal {
  readonly entries: readonly Entry[];
  /** The directories that the commit creates, parents first. */
  readonly directories: readonly string[];
}

interface Entry {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** The previous content, for an update or deletion. */
  readonly before?: Before;
  /** The hash of the new content. */
  readonly written?: string;
}

interface Before {
  /** The name of the backup in the staging directory. */
  readonly backup: string;
  readonly hash: string;
  readonly mode: number;
}

/** Returns the name of a new staging directory, by which later runs recognize it. */
export function stagingName(id: string): string {
  return `.kubewright-${id}.tmp`;
}

/** Returns the name of the backup for an operation. */
export function backupName(index: number): string {
  return `${index}.old`;
}

/** The journal of one run. */
export interface OpenJournal {
  /** Records the operations of the commit before its first step. */
  begin(staging: string, operations: readonly Operation[]): void;
  /** Records that the commit is complete or undone, so that the staging directory can be removed. */
  settle(): void;
  /** Removes the journal, after the staging directory was removed. */
  close(): void;
}

/**
 * Creates a journal before the staging directory, to record that it is this user's. An empty journal has nothing to undo.
 *
 * @param id the id of {@link stagingName}
 * @throws ProblemError without a private directory for the journal
 */
export function openJournal(root: string, id: string): OpenJournal {
  const path = join(privateDirectory(journalDirectories(root)), `${id}.json`);
  fs.writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  return {
    begin: (staging, operations) => {
      // The journal appears completely or not at all.
      fs.writeFileSync(`${path}.new`, JSON.stringify(journalOf(root, staging, operations)), { mode: 0o600 });
      fs.renameSync(`${path}.new`, path);
    },
    settle: () => {
      try {
        fs.truncateSync(path);
      } catch {
        // The journal has no effect without its staging directory, which is removed next.
      }
    },
    close: () => fs.rmSync(path, { force: true }),
  };
}

/** The home directory persists across reboots. Without one, the temporary directory is used. */
function journalDirectories(root: string): string[] {
  const places = [stateDirectory("journals", root), temporaryDirectory("journals", root)];
  return places.filter((place) => place !== undefined);
}

function journalOf(root: string, staging: string, operations: readonly Operation[]): Journal {
  const entries = operations.map((operation, index): Entry => {
    const before = operation.op === "create" ? undefined : beforeOf(staging, backupName(index));
    const written = operation.op === "delete" ? undefined : hashOf(operation.content);
    return { path: operation.path, ...(before && { before }), ...(written && { written }) };
  });
  const created = operations.flatMap(({ op, path }) => (op === "create" ? missingParents(root, path) : []));
  return { entries, directories: [...new Set(created)].sort() };
}

function beforeOf(staging: string, backup: string): Before {
  const path = join(staging, backup);
  return { backup, hash: hashOf(fs.readFileSync(path)), mode: fs.statSync(path).mode & 0o777 };
}

/** The result of undoing interrupted commits. */
export interface Undone {
  /** The restored files. */
  readonly restored: readonly string[];
  /** Files that were changed since, or whose backup is missing. They are kept. */
  readonly kept: readonly string[];
}

/** Whether a commit in this project was interrupted, for example by a killed process or a power failure. */
export function wasInterrupted(root: string): boolean {
  return stagings(root).some(({ journal }) => journal.entries.length > 0);
}

/**
 * Undoes interrupted commits, and removes the remains of runs that ended early. Requires the project's lock, because an
 * active run has such a directory too. If it is interrupted itself, the next call continues.
 */
export function undoInterrupted(root: string): Undone {
  const [restored, kept]: [string[], string[]] = [[], []];
  for (const { staging, journal, path } of stagings(root)) {
    for (const entry of journal.entries) {
      const done = restore(root, staging, entry);
      if (done !== undefined) (done ? restored : kept).push(entry.path);
    }
    for (const directory of [...journal.directories].reverse()) removeIfEmpty(root, directory);
    fs.rmSync(staging, { recursive: true, force: true });
    fs.rmSync(path, { force: true });
  }
  return { restored: restored.sort(), kept: kept.sort() };
}

/** Restores a file, and returns whether it could; undefined if there is nothing to restore. */
function restore(root: string, staging: string, { path, before, written }: Entry): boolean | undefined {
  const target = targetOf(root, path);
  if (target === undefined) return false;
  const now = contentOf(target);
  const hash = now === undefined ? undefined : hashOf(now);
  if (hash === before?.hash) return undefined;
  // The file has neither the old nor the written content, so somebody has changed it since.
  if (hash !== undefined && hash !== written) return false;
  if (before === undefined) {
    fs.rmSync(target);
    return true;
  }
  const old = contentOf(join(staging, before.backup));
  if (old === undefined || hashOf(old) !== before.hash) return false;
  // Write the bytes that were compared, because the file could have been replaced in the meantime.
  const copy = join(staging, `${before.backup}.restored`);
  fs.rmSync(copy, { force: true });
  fs.writeFileSync(copy, old, { flag: "wx" });
  fs.chmodSync(copy, before.mode);
  fs.mkdirSync(dirname(target), { recursive: true });
  moveFile(copy, targetOf(root, path) ?? target);
  return true;
}

/** Returns the absolute path of a file in the project; undefined if a link leads out of the project, or it isn't a file. */
function targetOf(root: string, path: string): string | undefined {
  try {
    return insidePath(root, path);
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}

interface Staging {
  readonly staging: string;
  readonly journal: Journal;
  /** The path of the journal. */
  readonly path: string;
}

/** Returns the staging directories that this user's runs have left in a project. */
function stagings(root: string): Staging[] {
  const directories = fs.readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const id = entry.isDirectory() ? /^\.kubewright-([0-9a-f-]{36})\.tmp$/.exec(entry.name)?.[1] : undefined;
    return id === undefined ? [] : [{ staging: join(root, entry.name), id }];
  });
  if (directories.length === 0) return [];
  const places = journalDirectories(root).filter(isPrivate);
  return directories.flatMap(({ staging, id }) => {
    const journals = places.flatMap((place) => readJournal(staging, join(place, `${id}.json`)));
    return journals.slice(0, 1);
  });
}

function readJournal(staging: string, path: string): Staging[] {
  const text = contentOf(path)?.toString("utf8");
  if (text === undefined) return [];
  return [{ staging, path, journal: text === "" ? { entries: [], directories: [] } : (JSON.parse(text) as Journal) }];
}

/** Returns the missing parent directories of a file. */
function missingParents(root: string, path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts
    .map((_, index) => parts.slice(0, index + 1).join("/"))
    .filter((directory) => !fs.existsSync(join(root, directory)));
}

function removeIfEmpty(root: string, directory: string): void {
  const target = targetOf(root, `${directory}/-`);
  if (target === undefined) return;
  try {
    fs.rmdirSync(dirname(target));
  } catch {
    // It was removed already, or contains something else.
  }
}

/** Renames a file, or copies it if the project's directories are on different disks. */
export function moveFile(from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    fs.copyFileSync(from, to);
    fs.rmSync(from, { force: true });
  }
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Reads a file; undefined if the path isn't a file, but for example a link. */
function contentOf(path: string): Buffer | undefined {
  // Windows has neither flag. O_NONBLOCK avoids waiting for a named pipe.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ELOOP", "ENOTDIR", "EMLINK"].includes(code)) return undefined;
    throw error;
  }
  try {
    return fs.fstatSync(descriptor).isFile() ? fs.readFileSync(descriptor) : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}
