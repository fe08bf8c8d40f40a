import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { insidePath } from "./inside.ts";
import type { Operation } from "./operation.ts";
import { isPrivate, privateDirectory, stateDirectory, temporaryDirectory } from "./private-directory.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/**
 * What a commit is about to do, so that a later run can take it back. It lies outside of the project, among this user's own
 * files: a checkout can bring a directory that looks like a staging directory, but no journal for it.
 */
interface Journal {
  readonly entries: readonly Entry[];
  /** The directories that it makes, those that hold others first. */
  readonly directories: readonly string[];
}

interface Entry {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** What was there, for an update or a delete. */
  readonly before?: Before;
  /** The hash of what is written. */
  readonly written?: string;
}

interface Before {
  /** The name of the copy in the staging directory. */
  readonly backup: string;
  readonly hash: string;
  readonly mode: number;
}

/** The name of a new staging directory, by which a later run knows it. */
export function stagingName(id: string): string {
  return `.kubewright-${id}.tmp`;
}

/** The file that holds what was there before an operation. */
export function backupName(index: number): string {
  return `${index}.old`;
}

/** The journal of one run. */
export interface OpenJournal {
  /** Notes what the commit will do, before its first step. */
  begin(staging: string, operations: readonly Operation[]): void;
  /** The commit is complete, or undone: nothing is left to take back. The staging directory may go. */
  settle(): void;
  /** The staging directory is gone. */
  close(): void;
}

/**
 * Notes that a staging directory is this user's, before it is made. An empty journal has nothing to take back.
 *
 * @param id that of {@link stagingName}
 * @throws ScaffoldError if there is no private directory for the journal
 */
export function openJournal(root: string, id: string): OpenJournal {
  const path = join(privateDirectory(journalDirectories(root)), `${id}.json`);
  fs.writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  return {
    begin: (staging, operations) => {
      // It appears whole or not at all.
      fs.writeFileSync(`${path}.new`, JSON.stringify(journalOf(root, staging, operations)), { mode: 0o600 });
      fs.renameSync(`${path}.new`, path);
    },
    settle: () => {
      try {
        fs.truncateSync(path);
      } catch {
        // Without its staging directory, which goes next, it counts for nothing.
      }
    },
    close: () => fs.rmSync(path, { force: true }),
  };
}

/** The home outlives a reboot; without one the temporary directory has to do. */
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

/** What became of commits that were cut off in the middle. */
export interface Undone {
  /** The files that are again as they were. */
  readonly restored: readonly string[];
  /** Those that somebody has changed since, or whose copy is gone: they stay. */
  readonly kept: readonly string[];
}

/** Whether a commit in this project was cut off in the middle (the process was killed, the machine went down). */
export function wasInterrupted(root: string): boolean {
  return stagings(root).some(({ journal }) => journal.entries.length > 0);
}

/**
 * Takes commits back that were cut off in the middle, and removes what runs that ended early have left. Only under the
 * project's lock: a run that is at work has such a directory too. Being cut off itself, it goes on the next time.
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

/** Whether a file was put back; undefined where there is nothing to put back. */
function restore(root: string, staging: string, { path, before, written }: Entry): boolean | undefined {
  const target = targetOf(root, path);
  if (target === undefined) return false;
  const now = contentOf(target);
  const hash = now === undefined ? undefined : hashOf(now);
  if (hash === before?.hash) return undefined;
  // Where neither what was there nor what was written lies there, somebody has worked on it.
  if (hash !== undefined && hash !== written) return false;
  if (before === undefined) {
    fs.rmSync(target);
    return true;
  }
  const old = contentOf(join(staging, before.backup));
  if (old === undefined || hashOf(old) !== before.hash) return false;
  // The bytes that were compared are written, not a file that could be another one by now.
  const copy = join(staging, `${before.backup}.restored`);
  fs.rmSync(copy, { force: true });
  fs.writeFileSync(copy, old, { flag: "wx" });
  fs.chmodSync(copy, before.mode);
  fs.mkdirSync(dirname(target), { recursive: true });
  moveFile(copy, targetOf(root, path) ?? target);
  return true;
}

/** The place of a file inside of the project; undefined if links lead out of it by now, or there is no file. */
function targetOf(root: string, path: string): string | undefined {
  try {
    return insidePath(root, path);
  } catch (error) {
    if (error instanceof ScaffoldError) return undefined;
    throw error;
  }
}

interface Staging {
  readonly staging: string;
  readonly journal: Journal;
  /** The journal's own path. */
  readonly path: string;
}

/** The staging directories that runs of this user have left in a project. */
function stagings(root: string): Staging[] {
  const found = fs.readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const id = entry.isDirectory() ? /^\.kubewright-([0-9a-f-]{36})\.tmp$/.exec(entry.name)?.[1] : undefined;
    return id === undefined ? [] : [{ staging: join(root, entry.name), id }];
  });
  if (found.length === 0) return [];
  const places = journalDirectories(root).filter(isPrivate);
  return found.flatMap(({ staging, id }) => {
    const journals = places.flatMap((place) => readJournal(staging, join(place, `${id}.json`)));
    return journals.slice(0, 1);
  });
}

function readJournal(staging: string, path: string): Staging[] {
  const text = contentOf(path)?.toString("utf8");
  if (text === undefined) return [];
  return [{ staging, path, journal: text === "" ? { entries: [], directories: [] } : (JSON.parse(text) as Journal) }];
}

/** The directories on the way to a file that aren't there yet. */
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
    // It is gone, or holds something else.
  }
}

/** A rename, or a copy where a directory of the project is another disk. */
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

/** A file's bytes; undefined if there is no file, but perhaps a link or something else of its name. */
function contentOf(path: string): Buffer | undefined {
  // Windows has neither flag; a pipe isn't waited for.
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
