import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/** One write of an object. Without `text`, a deletion. */
export interface JournalRecord {
  collection: string;
  key: string;
  revision: number;
  text?: string;
  /** True if the text lacks defaults of its version. */
  incomplete?: boolean;
}

/** A write that isn't a deletion. */
export type StoredRecord = JournalRecord & { text: string };

/** The content of a journal. */
export interface JournalContent {
  /** The newest revision, which may be that of a deletion. */
  revision: number;
  /** The present states, the oldest first. */
  objects: StoredRecord[];
}

/** A journal is rewritten when it is larger than twice its size after the last time, and this. */
const smallestRewrite = 8 * 1024 * 1024;

const newline = 10;

/** The files that this process uses. */
const open = new Set<string>();

/**
 * A file to which each write is appended before it is acknowledged.
 *
 * A line is a record as JSON, or the revision of the records before it. The operating system has the line when `append`
 * returns, so that a crash of the process loses nothing; a crash of the machine may. One process at a time uses the file.
 */
export class Journal {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  #file: number;
  #size: number;
  #rewriteSize = 0;

  /**
   * @param path - the file; created with mode 0600 if it doesn't exist
   * @param warn - receives messages about lines that can't be read
   * @throws Error if the file can't be opened, or another server uses it
   */
  constructor(path: string, warn: (message: string) => void) {
    this.#path = resolve(path);
    this.#warn = warn;
    lock(this.#path);
    try {
      this.#file = openSync(this.#path, "a+", 0o600);
    } catch (error) {
      unlock(this.#path);
      throw error;
    }
    this.#size = fstatSync(this.#file).size;
    this.#expectSize(0);
  }

  /**
   * Reads all records, and removes those that later ones replace from the file if they are many.
   *
   * @returns the present state
   * @throws Error for a line that isn't a record, except for an incomplete last line, which is removed
   */
  read(): JournalContent {
    // The whole file can be longer than a string.
    const bytes = readFileSync(this.#path);
    const states = new Map<string, JournalRecord>();
    let lines = 0;
    let revision = 0;
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines++;
      const record = parseRecord(bytes.toString("utf8", start, end));
      start = end + 1;
      if (record === undefined) throw new Error(`${this.#path}:${lines}: isn't a record of the API server`);
      const id = `${record.collection} ${record.key}`;
      states.delete(id);
      if (record.text !== undefined) states.set(id, record);
      revision = Math.max(revision, record.revision);
    }
    if (start < bytes.length) {
      this.#warn(`${this.#path}: the last line is incomplete and is removed`);
      this.#truncate(start);
    }
    const objects = [...states.values()] as StoredRecord[];
    if (lines > 2 * objects.length + 1000) this.compact(objects, revision);
    else this.#expectSize(this.#size);
    return { revision, objects };
  }

  /**
   * Appends a record.
   *
   * @param record - the write
   * @throws Error if the disk is full or fails. The file is as before then.
   */
  append(record: JournalRecord): void {
    const line = lineOf(record);
    try {
      writeAll(this.#path, this.#file, line);
      this.#size += line.length;
    } catch (error) {
      this.#truncate(this.#size);
      throw error;
    }
  }

  /** Whether most of the file is outdated, so that {@link compact} is due. */
  get isLarge(): boolean {
    return this.#size > this.#rewriteSize;
  }

  /**
   * Replaces the file. If that fails, for example because the disk is full, the old file stays in use, with a warning.
   *
   * @param objects - the present states
   * @param revision - the newest revision
   */
  compact(objects: Iterable<JournalRecord>, revision: number): void {
    try {
      this.rewrite(objects, revision);
    } catch (error) {
      this.#expectSize(this.#size);
      this.#warn(`${this.#path}: outdated lines can't be removed: ${(error as Error).message}`);
    }
  }

  /**
   * Replaces the file.
   *
   * @param objects - the new content
   * @param revision - the newest revision
   * @throws Error if the new file can't be written. The old one is in use then.
   */
  rewrite(objects: Iterable<JournalRecord>, revision: number): void {
    const path = `${this.#path}.new`;
    rmSync(path, { force: true });
    let file: number | undefined;
    try {
      // The same descriptor is used for appending afterwards: opening the file again could fail.
      file = openSync(path, "ax+", 0o600);
      for (const record of objects) writeAll(path, file, lineOf(record));
      writeAll(path, file, lineOf({ revision }));
      renameSync(path, this.#path);
    } catch (error) {
      if (file !== undefined) closeSync(file);
      rmSync(path, { force: true });
      throw error;
    }
    closeSync(this.#file);
    this.#file = file;
    this.#size = fstatSync(this.#file).size;
    this.#expectSize(this.#size);
  }

  /** Whether the file was removed, so that what is appended is lost. */
  get isRemoved(): boolean {
    return fstatSync(this.#file).nlink === 0;
  }

  /**
   * Creates the file again after it was removed, with its directory.
   *
   * @param objects - the present states
   * @param revision - the newest revision
   * @throws Error if the file can't be written, or another server uses it
   */
  recreate(objects: Iterable<JournalRecord>, revision: number): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    unlock(this.#path);
    lock(this.#path);
    this.rewrite(objects, revision);
  }

  #expectSize(size: number): void {
    this.#rewriteSize = Math.max(2 * size, smallestRewrite);
  }

  #truncate(size: number): void {
    ftruncateSync(this.#file, size);
    this.#size = size;
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.#file);
    unlock(this.#path);
  }
}

function lineOf(record: JournalRecord | { revision: number }): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** Writes all bytes to the open file of a path. On a full disk, the system may write a part of them first. */
function writeAll(path: string, file: number, bytes: Buffer): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } catch (error) {
    // Node names the path only in errors of calls that take one.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    const record = JSON.parse(line) as JournalRecord;
    const { collection = "", key = "", revision } = record;
    const isRecord = typeof key === "string" && typeof collection === "string" && Number.isInteger(revision);
    return isRecord ? { ...record, collection, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a file beside the journal that names this process. The file of a process that has ended is replaced. */
function lock(path: string): void {
  if (open.has(path)) throw inUse(path, process.pid);
  const lockPath = `${path}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(lockPath, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
      open.add(path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt > 0) throw error;
    }
    const owner = Number(readFileSync(lockPath, "utf8"));
    if (owner !== process.pid && isRunning(owner)) throw inUse(path, owner);
    rmSync(lockPath, { force: true });
  }
}

/** Releases a file, and removes its lock, unless another process has created that after the one of this process was removed. */
function unlock(path: string): void {
  open.delete(path);
  const lockPath = `${path}.lock`;
  if (ownerOf(lockPath) === process.pid) rmSync(lockPath, { force: true });
}

function ownerOf(lockPath: string): number | undefined {
  try {
    return Number(readFileSync(lockPath, "utf8"));
  } catch {
    return undefined;
  }
}

function inUse(path: string, pid: number): Error {
  const hint = `stop it, or remove ${path}.lock if that process isn't an API server`;
  return new Error(`${path}: is in use by process ${pid}\nhint: ${hint}`);
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
