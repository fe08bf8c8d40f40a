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

/** Compiled code from earlier runs: compiling takes longer than most runs do besides. */
export interface CodeCache {
  /** Compiles the text of a file, or takes what was compiled from it. `mtime` in milliseconds. */
  compile(path: string, text: string, mtime: number): Script;
  /** Stores what is new; to be called at the end, when all that a run needs is compiled. Never throws. */
  keep(): void;
}

interface Used {
  readonly script: Script;
  readonly source: Source;
  /** Bytes of all code in the process that stored it; 0 where nothing was stored. */
  readonly known: number;
}

/** What code was compiled from. V8 itself only compares the length. */
interface Source {
  readonly path: string;
  readonly length: number;
  readonly mtime: number;
}

/** V8 compiles a function at its first call: a run that came to this much more code than all before it has something to add. */
const worthAdding = 1.01;

/** Directories of installations and Node versions that nobody has added to for so long are dropped. */
const monthMs = 30 * 24 * 3600 * 1000;

/** To measure all code V8 walks through its heap, which takes a millisecond or two: one run in four does. */
const measures = (): boolean => process.pid % 4 === 0;

/** A cache in a directory, which is made when needed; without one nothing is kept. */
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
        // A home that can't be written, a full disk: the next run compiles again.
      }
    },
  };
}

const entryPath = (directory: string, path: string): string => join(directory, `${basename(path)}.bin`);

/** Code that others could replace isn't kept: `sudo` may keep the home of the user who called it, and homes may be shared. */
const isPrivate = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

/** Makes a directory of this user's, and drops those of its siblings that are old. Throws if it can't be this user's alone. */
function makeDirectory(directory: string): void {
  const made = makeMissing(directory);
  const stat = lstatSync(directory);
  if (!stat.isDirectory() || !isPrivate(stat)) throw new Error(`${directory} may be written to by others`);
  if (!made) return;
  const all = dirname(directory);
  for (const name of readdirSync(all)) {
    const other = join(all, name);
    if (Date.now() - statSync(other).mtimeMs > monthMs) rmSync(other, { recursive: true, force: true });
  }
}

/** Whether it had to be made. Not mkdir's `recursive`, which never ends where the system doesn't allow it, as below /proc. */
function makeMissing(directory: string): boolean {
  if (existsSync(directory)) return false;
  if (!existsSync(dirname(directory))) {
    if (dirname(directory) === directory) return false;
    makeMissing(dirname(directory));
  }
  mkdirSync(directory, { mode: 0o700 });
  return true;
}

// An entry: length and time of the source, known, length and sum of the code, length of the path; the path; the code.
const format = 0x6b770001;
const headBytes = 40;

function head(source: Source, known: number, code: Buffer): Buffer {
  // V8 wants its code at an address that can be divided by eight, and copies it otherwise.
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

/** The code of a source, if it is there, whole, and was written by this user. */
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

/** The bytes of a file that only this user can have written; none of any other. */
function readOwn(file: string): Buffer {
  // Windows has neither flag; a pipe isn't waited for.
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
 * A sum over some words of each block that a disk writes, which shows what was torn or lost: V8 runs what it is given, and
 * a sum over all would take as long as what the cache saves.
 */
function sum(code: Buffer): number {
  let result = code.length;
  for (let index = 0; index + 4 <= code.length; index += 64) {
    result = (Math.imul(result, 31) + code.readInt32LE(index)) | 0;
  }
  return result >>> 0;
}
