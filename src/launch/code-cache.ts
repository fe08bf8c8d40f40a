import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { getHeapCodeStatistics } from "node:v8";
import { Script } from "node:vm";

/** Compiled code from earlier runs. In most runs, compiling takes longer than everything else. */
export interface CodeCache {
  /** Compiles the text of a file, or loads its compiled code from the cache. `mtime` is in milliseconds. */
  compile(path: string, text: string, mtime: number): Script;
  /** Stores new code. Call it at the end of a run, when all code that the run needs is compiled. Never throws. */
  keep(): void;
}

interface Used {
  readonly script: Script;
  readonly source: Source;
  /** Bytes of all code in the process that stored the entry; 0 if there is no entry. */
  readonly known: number;
}

/** Identifies the source of compiled code. V8 itself compares only the length. */
interface Source {
  readonly path: string;
  readonly length: number;
  readonly mtime: number;
}

/** V8 compiles functions at their first call. If a run compiled this much more code than earlier runs, the entry is replaced. */
const worthAdding = 1.01;

/** Cache directories of installations and Node versions that were not changed for this long are removed. In milliseconds. */
const monthMs = 30 * 24 * 3600 * 1000;

/** Measuring the code walks V8's heap, which takes one or two milliseconds, so only one run in four does it. */
const measures = (): boolean => process.pid % 4 === 0;

/** Creates a cache in a directory, which is created on demand. Without a directory, nothing is stored. */
export function createCodeCache(directory: string | undefined, measure: () => boolean = measures): CodeCache {
  const used: Used[] = [];
  return {
    compile(path, text, mtime) {
      const source = { path, length: text.length, mtime };
      const stored = directory === undefined ? undefined : readEntry(entryPath(directory, path), source);
      const script = new Script(text, { filename: path, ...(stored && { cachedData: stored.code }) });
      const accepted = stored !== undefined && script.cachedDataRejected !== true;
      used.push({ script, source, known: accepted ? stored.known : 0 });
      return script;
    },
    keep() {
      if (directory === undefined) return;
      if (used.every(({ known }) => known > 0) && !measure()) return;
      const all = getHeapCodeStatistics().bytecode_and_metadata_size;
      const grown = used.filter(({ known }) => all > known * worthAdding);
      if (grown.length === 0) return;
      try {
        makeDirectory(directory);
        for (const { script, source } of grown) {
          writeEntry(entryPath(directory, source.path), source, all, script.createCachedData());
        }
      } catch {
        // The cache isn't writable, or the disk is full: the next run compiles again.
      }
    },
  };
}

const entryPath = (directory: string, path: string): string => join(directory, `${basename(path)}.bin`);

/** Whether only this user can write a file. `sudo` may keep the home of the calling user, and homes may be shared. */
const isPrivate = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

/**
 * Creates a private directory, and removes old siblings.
 *
 * @throws Error if other users can write to the directory
 */
function makeDirectory(directory: string): void {
  const made = makeMissing(directory);
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || !isPrivate(stat)) throw new Error(`${directory} is writable by other users`);
  if (!made) return;
  const all = dirname(directory);
  for (const name of readdirSync(all)) {
    const other = join(all, name);
    if (Date.now() - statSync(other).mtimeMs > monthMs) rmSync(other, { recursive: true, force: true });
  }
}

/** Creates a directory and returns whether it was missing. The `recursive` option of mkdir would loop forever below /proc. */
function makeMissing(directory: string): boolean {
  if (existsSync(directory)) return false;
  if (!existsSync(dirname(directory))) {
    if (dirname(directory) === directory) return false;
    makeMissing(dirname(directory));
  }
  mkdirSync(directory, { mode: 0o700 });
  return true;
}

// Format of an entry: length and time of the source, known, length and checksum of the code, length of the path, path, code.
const format = 0x6b770001;
const headBytes = 40;

function head(source: Source, known: number, code: Buffer): Buffer {
  // V8 copies code whose address isn't a multiple of eight.
  const path = Buffer.from(source.path + "\0".repeat(7));
  const whole = path.subarray(0, path.length - (path.length % 8));
  const bytes = Buffer.alloc(headBytes);
  bytes.writeUInt32LE(format, 0);
  bytes.writeUInt32LE(source.length, 4);
  bytes.writeDoubleLE(source.mtime, 8);
  bytes.writeUInt32LE(known, 16);
  bytes.writeUInt32LE(code.length, 20);
  bytes.writeUInt32LE(sum(code), 24);
  bytes.writeUInt32LE(whole.length, 28);
  return Buffer.concat([bytes, whole]);
}

function writeEntry(file: string, source: Source, known: number, code: Buffer): void {
  const unfinished = `${file}.${process.pid}-${Date.now().toString(36)}`;
  writeFileSync(unfinished, Buffer.concat([head(source, known, code), code]), { mode: 0o600, flag: "wx" });
  renameSync(unfinished, file);
}

/** Reads the code of a source, if the entry exists, is complete, and was written by this user. */
function readEntry(file: string, source: Source): { readonly code: Buffer; readonly known: number } | undefined {
  let bytes: Buffer;
  try {
    bytes = readOwn(file);
  } catch {
    return undefined;
  }
  if (bytes.length < headBytes) return undefined;
  const known = bytes.readUInt32LE(16);
  const code = bytes.subarray(headBytes + bytes.readUInt32LE(28));
  const expected = head(source, known, code);
  return bytes.subarray(0, expected.length).equals(expected) ? { code, known } : undefined;
}

/** Reads a file that only this user can write; returns no bytes for any other file. */
function readOwn(file: string): Buffer {
  // Windows has neither flag. O_NONBLOCK avoids waiting for a named pipe.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || !isPrivate(stat)) return Buffer.alloc(0);
    const { size } = stat;
    const bytes = Buffer.allocUnsafeSlow(size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, size, 0));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A checksum over a few words of each disk block, which detects incomplete writes: V8 runs any code that it gets. A checksum over
 * all bytes would take as much time as the cache saves.
 */
function sum(code: Buffer): number {
  let result = code.length;
  for (let index = 0; index + 4 <= code.length; index += 64) {
    result = (Math.imul(result, 31) + code.readInt32LE(index)) | 0;
  }
  return result >>> 0;
}
