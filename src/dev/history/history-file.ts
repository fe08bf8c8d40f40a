import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { HistoryEntry } from "../store/history-entry.ts";
import { parsedEntry } from "../store/history-entry.ts";

/** Version of the format. Files of other versions are replaced. */
const version = 1;
const maxSize = 8 * 1024 * 1024;
/** Longer lines are left out: a few of them would replace all others. */
const maxLine = 512 * 1024;
/** Time between two writes in milliseconds, in which the values of new Secrets become known. */
const writeTime = 200;
/** Entries that wait to be written. */
const maxPending = 5000;

/** The parts that a {@link HistoryFile} uses. */
export interface HistoryFileOptions {
  readonly path: string;
  /** Returns JSON without the values of Secrets. */
  mask(json: string): string;
  /** Reports that the history isn't kept. */
  note(message: string): void;
  /**
   * Size from which the older half is removed, in bytes.
   *
   * @defaultValue 8 MiB
   */
  readonly maxSize?: number;
}

/**
 * Keeps the history of a session in a file that only its owner can read, so that the next session continues it: one line per
 * entry, the oldest first. Nothing waits for it, and its failure ends only the history.
 */
export class HistoryFile {
  readonly #options: Required<HistoryFileOptions>;
  #header = "";
  #file: FileHandle | undefined;
  #size = 0;
  #pending: HistoryEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: HistoryFileOptions) {
    this.#options = { maxSize, ...options };
  }

  /**
   * Opens the file, and returns its entries, the oldest first. A file of another cluster, version or user is replaced.
   *
   * @param cluster - identifies the cluster
   */
  async open(cluster: string): Promise<HistoryEntry[]> {
    this.#header = `${JSON.stringify({ history: version, cluster })}\n`;
    const lines = await this.#read().catch(() => []);
    try {
      await this.#replace(lines);
    } catch (error) {
      await this.#fail(error);
    }
    return lines.flatMap((line) => parsedEntry(line) ?? []);
  }

  /** Adds an entry. It is written later. */
  add(entry: HistoryEntry): void {
    if (!this.#file) return;
    this.#pending.push(entry);
    // A disk that is too slow loses the oldest.
    if (this.#pending.length > maxPending) this.#pending.shift();
    this.#schedule();
  }

  /** Writes what is left, and closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer);
    await this.#write();
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
  }

  #schedule(): void {
    if (this.#timer || this.#writing || this.#pending.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined;
        this.#schedule();
      });
    }, writeTime).unref();
  }

  async #write(): Promise<void> {
    const entries = this.#pending;
    this.#pending = [];
    if (!this.#file || entries.length === 0) return;
    const lines = entries
      .map((entry) => this.#options.mask(JSON.stringify(entry)))
      .filter((line) => line.length <= maxLine);
    const text = textOf(latest(lines, this.#options.maxSize));
    try {
      await this.#file.appendFile(text);
      this.#size += Buffer.byteLength(text);
      if (this.#size > this.#options.maxSize) await this.#replace(await this.#read());
    } catch (error) {
      await this.#fail(error);
    }
  }

  /** Returns the whole lines of the file, without its header; none if it isn't the file of this user and cluster. */
  async #read(): Promise<string[]> {
    // A repository can contain a link, and reading a pipe without a writer never ends.
    const file = await open(
      this.#options.path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK,
    );
    try {
      const { uid, mode, size } = await file.stat();
      const isOwn = process.getuid === undefined || uid === process.getuid();
      const isPrivate = process.platform === "win32" || (mode & 0o077) === 0;
      if ((mode & constants.S_IFMT) !== constants.S_IFREG || !isOwn || !isPrivate) return [];
      // A killed session can leave more than the limit, by one write.
      if (size > 4 * this.#options.maxSize) return [];
      const text = await file.readFile("utf8");
      if (!text.startsWith(this.#header)) return [];
      // The last line isn't whole if the session was killed while it was written.
      return text
        .slice(this.#header.length, text.lastIndexOf("\n") + 1)
        .split("\n")
        .slice(0, -1);
    } finally {
      await file.close();
    }
  }

  /** Replaces the file by one with the latest lines. Readers see the old content or the new one. */
  async #replace(lines: readonly string[]): Promise<void> {
    const { path } = this.#options;
    const text = this.#header + textOf(latest(lines, this.#options.maxSize / 2));
    const temporary = `${path}.${process.pid}.tmp`;
    await rm(temporary, { force: true });
    const file = await open(
      temporary,
      constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_APPEND,
      0o600,
    );
    try {
      await file.chmod(0o600);
      await file.appendFile(text);
      await rename(temporary, path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await this.#file?.close().catch(() => undefined);
    this.#file = file;
    this.#size = Buffer.byteLength(text);
  }

  async #fail(error: unknown): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#pending = [];
    this.#options.note(`the history of this session isn't kept for the next one: ${(error as Error).message}`);
    await file?.close().catch(() => undefined);
  }
}

/** Returns the last lines up to a size in bytes. */
function latest(lines: readonly string[], size: number): readonly string[] {
  let left = size;
  let first = lines.length;
  while (first > 0) {
    left -= Buffer.byteLength(lines[first - 1] ?? "") + 1;
    if (left < 0) break;
    first--;
  }
  return lines.slice(first);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
