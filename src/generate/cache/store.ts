import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Entries that are kept: two for each set of options that is in use. */
const kept = 48;
const hour = 3_600_000;

/**
 * Where a project's cache goes: under the `node_modules` of the working directory, or of the nearest package above it.
 * Undefined if there is none: then nothing is installed either, and no place is better than another.
 */
export function cacheDirectory(cwd: string): string | undefined {
  for (let directory = cwd, first = true; ; directory = dirname(directory), first = false) {
    // Above the working directory a `node_modules` without a package is somebody else's.
    if (isDirectory(join(directory, "node_modules")) && (first || exists(join(directory, "package.json")))) {
      return join(directory, "node_modules", ".cache", "kubewright");
    }
    if (directory === dirname(directory)) return undefined;
  }
}

/** The bytes that were stored under a name; undefined if they can't be had, for whatever reason. */
export function readStored(directory: string, name: string): Buffer | undefined {
  try {
    return readFileSync(join(directory, name));
  } catch {
    return undefined;
  }
}

/** Marks an entry as used, so that it is among the last to go. */
export function touchStored(directory: string, name: string): void {
  try {
    const path = join(directory, name);
    const now = new Date();
    if (now.getTime() - statSync(path).mtimeMs > hour) utimesSync(path, now, now);
  } catch {
    // A cache that can only be read is still a cache.
  }
}

/** Stores bytes under a name, whole or not at all whoever else is writing; drops the oldest beyond some number. */
export function writeStored(directory: string, name: string, bytes: Buffer): void {
  const temporary = join(directory, `.${name}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(temporary, bytes, { flag: "wx" });
    renameSync(temporary, join(directory, name));
    dropOld(directory);
  } catch {
    // A read-only or full disk costs the next run its time, and no more.
    removeQuietly(temporary);
  }
}

function dropOld(directory: string): void {
  const files = readdirSync(directory).map((name) => {
    return { name, at: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const entries = files.filter(({ name }) => !name.endsWith(".tmp")).sort((a, b) => b.at - a.at);
  // What a run that was killed left behind is nobody's after an hour.
  const left = files.filter(({ name, at }) => name.endsWith(".tmp") && Date.now() - at > hour);
  for (const { name } of [...entries.slice(kept), ...left]) removeQuietly(join(directory, name));
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another run may have been faster, or nobody may.
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
