import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";

/** One write of an object. Without `text`, a deletion. */
export interface JournalRecord {
  collection: string;
  key: string;
  revision: number;
  text?: string;
}

/**
 * A file to which each write is appended before it is acknowledged.
 *
 * A line is a record as JSON. The operating system has the line when `append` returns, so that a crash of the process loses
 * nothing; a crash of the machine may.
 */
export class Journal {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  #file: number;

  /**
   * @param path - the file; created with mode 0600 if it doesn't exist
   * @param warn - receives messages about lines that can't be read
   * @throws Error if the file can't be opened
   */
  constructor(path: string, warn: (message: string) => void) {
    this.#path = path;
    this.#warn = warn;
    this.#file = openSync(path, "a+", 0o600);
  }

  /**
   * Reads all records and removes those that later ones replace from the file.
   *
   * @returns the records of the present states, the oldest first
   * @throws Error for a line that isn't a record, except for an incomplete last line, which is removed
   */
  read(): JournalRecord[] {
    const text = readFileSync(this.#path, "utf8");
    const states = new Map<string, JournalRecord>();
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) {
      this.#warn(`${this.#path}: the last line is incomplete and is removed`);
      ftruncateSync(this.#file, Buffer.byteLength(text.slice(0, end)));
    }
    const lines = text.slice(0, end).split("\n");
    lines.pop();
    let revision = 0;
    for (const [index, line] of lines.entries()) {
      const record = parseRecord(line);
      if (record === undefined) throw new Error(`${this.#path}:${index + 1}: isn't a record of the API server`);
      const id = `${record.collection} ${record.key}`;
      states.delete(id);
      states.set(id, record);
      revision = Math.max(revision, record.revision);
    }
    // The newest record stays even if it is a deletion: it holds the revision.
    const records = [...states.values()].filter((r) => r.text !== undefined || r.revision === revision);
    if (lines.length > 2 * records.length + 1000) this.rewrite(records);
    return records;
  }

  /**
   * Appends a record.
   *
   * @param record - the write
   * @throws Error if the disk is full or fails. The file is as before then.
   */
  append(record: JournalRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    const size = fstatSync(this.#file).size;
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
    } catch (error) {
      ftruncateSync(this.#file, size);
      throw error;
    }
  }

  /**
   * Replaces the file.
   *
   * @param records - the new content
   * @throws Error if the new file can't be written. The old one is in use then.
   */
  rewrite(records: Iterable<JournalRecord>): void {
    const path = `${this.#path}.new`;
    const file = openSync(path, "w", 0o600);
    for (const record of records) writeSync(file, `${JSON.stringify(record)}\n`);
    closeSync(file);
    renameSync(path, this.#path);
    closeSync(this.#file);
    this.#file = openSync(this.#path, "a+", 0o600);
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.#file);
  }
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    const record = JSON.parse(line) as JournalRecord;
    return typeof record.key === "string" && typeof record.collection === "string" && Number.isInteger(record.revision)
      ? record
      : undefined;
  } catch {
    return undefined;
  }
}
