import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { fileError } from "./file-error.ts";
import { lockFile, realPathOf } from "./file-lock.ts";
import {
  isCutRecord,
  type JournalLine,
  type JournalRecord,
  linesOf,
  parseRecord,
  RevisionOrder,
  type StoredRecord,
} from "./journal-records.ts";

export type { JournalRecord, StoredRecord } from "./journal-records.ts";

/** The content of a journal. */
export interface JournalContent {
  /** The newest revision, which may be that of a deletion. */
  revision: number;
  /** The present states, the oldest first. */
  objects: StoredRecord[];
}

/** A journal is rewritten when it is larger than twice its size after the last time, and this. */
const smallestRewrite = 8 * 1024 * 1024;

/** The lines that are written at once have about this size in bytes. */
const bufferSize = 2 ** 20;

/**
 * A file to which each write is appended before it is acknowledged.
 *
 * A line is a record as JSON, or the revision of the records before it. The operating system has the line when `append`
 * returns, so that a crash of the process loses nothing; a crash of the machine may. One process at a time uses the file.
 */
export class Journal {
  /** The path as it was given, for messages. */
  readonly #name: string;
  /** The path without symbolic links: replacing the file must not replace a link. */
  readonly #path: string;
  #unlock: () => void;
  readonly #warn: (message: string) => void;
  readonly #checkObject: (record: StoredRecord) => void;
  #file: number;
  #size: number;
  #rewriteSize = 0;
  /** Whether the file ends with a part of a line. */
  #isTorn = false;
  /** Why the last write failed. */
  #problem: string | undefined;

  /**
   * @param path - the file; created with mode 0600 if it doesn't exist
   * @param warn - receives messages about lines that can't be read
   * @param check - throws an error with the rule that an object breaks; by default, all objects are valid
   * @throws Error if the file can't be opened, or another server uses it
   */
  constructor(path: string, warn: (message: string) => void, check: (record: StoredRecord) => void = () => {}) {
    this.#name = resolve(path);
    this.#warn = warn;
    this.#checkObject = check;
    try {
      this.#path = realPathOf(path);
      this.#unlock = lockFile(this.#path, this.#name);
    } catch (error) {
      throw fileError(this.#name, "locked", error);
    }
    try {
      // Opening a pipe would wait for its reader.
      const present = statSync(this.#path, { throwIfNoEntry: false });
      if (present?.isFile() === false) throw new Error(`${this.#name}: isn't a file`);
      this.#file = openSync(this.#path, "a+", 0o600);
      const { nlink } = fstatSync(this.#file);
      if (nlink > 1) {
        closeSync(this.#file);
        throw new Error(
          `${this.#name}: has ${nlink} hard links, so other servers could write it\nhint: name a copy of it`,
        );
      }
    } catch (error) {
      this.#unlock();
      throw fileError(this.#name, "opened", error);
    }
    this.#size = fstatSync(this.#file).size;
    this.#expectSize(0);
  }

  /**
   * Reads all records, and removes those that later ones replace from the file if they are many.
   *
   * @returns the present state
   * @throws Error for a line that isn't a record. A crash can cut off the last line, which is then removed with a warning.
   */
  read(): JournalContent {
    const states = new Map<string, { record: JournalRecord; line: number }>();
    const order = new RevisionOrder();
    let lines = 0;
    let last: JournalLine | undefined;
    for (const line of linesOf(this.#file)) {
      last = line;
      if (!line.isComplete && this.#isCut(line)) break;
      lines++;
      this.#check(line.number, () => {
        const record = parseRecord(line.bytes);
        order.add(record, line.number);
        const id = `${record.collection} ${record.key}`;
        states.delete(id);
        if (record.text !== undefined) states.set(id, { record, line: line.number });
      });
    }
    if (order.problem !== undefined) throw this.#damaged(order.problem.line, order.problem.rule);
    for (const { record, line } of states.values()) this.#check(line, () => this.#checkObject(record as StoredRecord));
    // Nothing is changed before the whole file is checked.
    if (last?.isComplete === false) this.#end(last);
    const revision = order.newest;
    const objects = [...states.values()].map(({ record }) => record as StoredRecord);
    if (lines > 2 * objects.length + 1000) this.compact(objects, revision);
    else this.#expectSize(this.#size);
    return { revision, objects };
  }

  /** Whether a last line without a newline is a part of a record. Others lack only the newline. */
  #isCut({ number, bytes }: JournalLine): boolean {
    try {
      parseRecord(bytes);
      return false;
    } catch (error) {
      if (isCutRecord(bytes)) return true;
      throw this.#damaged(number, (error as Error).message);
    }
  }

  /** Completes the last line, or removes it. */
  #end(line: JournalLine): void {
    try {
      if (this.#isCut(line)) {
        this.#truncate(line.start);
        this.#warn(`${this.#name}: the last line is incomplete and is removed`);
      } else {
        writeAll(this.#file, Buffer.from("\n"));
        this.#size++;
      }
    } catch (error) {
      throw fileError(this.#name, "repaired", error);
    }
  }

  #check(line: number, check: () => void): void {
    try {
      check();
    } catch (error) {
      throw this.#damaged(line, (error as Error).message);
    }
  }

  #damaged(line: number, rule: string): Error {
    const hint = "restore the file from a copy, or remove the line, which loses this write";
    return new Error(`${this.#name}:${line}: isn't a record of the API server: ${rule}\nhint: ${hint}`);
  }

  /**
   * Appends a record. While the disk is full, all writes fail, and they work again as soon as there is space.
   *
   * @param record - the write
   * @throws Error if the disk is full or fails. The file is as before then.
   */
  append(record: JournalRecord): void {
    const line = lineOf(record);
    try {
      if (this.#isTorn) this.#truncate(this.#size);
      writeAll(this.#file, line);
    } catch (error) {
      this.#repair();
      throw this.#failed(error);
    }
    this.#size += line.length;
    if (this.#problem !== undefined) this.#warn(`${this.#name}: can be written again`);
    this.#problem = undefined;
  }

  /** Removes what a failed write has left. If that fails too, the next write begins with it. */
  #repair(): void {
    try {
      this.#truncate(this.#size);
    } catch {
      this.#isTorn = true;
    }
  }

  /** Reports the first of several failures. */
  #failed(error: unknown): Error {
    const failure = fileError(this.#name, "written", error, false);
    const { message } = failure;
    if (this.#problem !== message) this.#warn(`${message}: requests that write fail until this is solved`);
    this.#problem = message;
    return failure;
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
      this.#warn(`${this.#name}: outdated lines can't be removed: ${(error as Error).message.split("\n")[0]}`);
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
    let file: number | undefined;
    try {
      rmSync(path, { force: true });
      // The same descriptor is used for appending afterwards: opening the file again could fail.
      file = openSync(path, "ax+", 0o600);
      let lines: Buffer[] = [];
      let size = 0;
      for (const record of objects) {
        const line = lineOf(record);
        lines.push(line);
        size += line.length;
        if (size < bufferSize) continue;
        writeAll(file, Buffer.concat(lines));
        lines = [];
        size = 0;
      }
      writeAll(file, Buffer.concat([...lines, lineOf({ revision })]));
      renameSync(path, this.#path);
    } catch (error) {
      if (file !== undefined) closeSync(file);
      rmSync(path, { force: true });
      throw fileError(this.#name, "rewritten", error);
    }
    closeSync(this.#file);
    this.#file = file;
    this.#isTorn = false;
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
    this.#unlock();
    this.#unlock = lockFile(this.#path, this.#name);
    this.rewrite(objects, revision);
  }

  #expectSize(size: number): void {
    this.#rewriteSize = Math.max(2 * size, smallestRewrite);
  }

  #truncate(size: number): void {
    ftruncateSync(this.#file, size);
    this.#isTorn = false;
    this.#size = size;
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.#file);
    this.#unlock();
  }
}

function lineOf(record: JournalRecord | { revision: number }): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** Writes all bytes to an open file. On a full disk, the system may write a part of them first. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
