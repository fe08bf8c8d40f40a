import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDirectory } from "./directory.ts";

/** The maximum number of entries: one per set of options in use. */
const kept = 24;
const hour = 3_600_000;

/** Returns the bytes stored under a name; undefined if they can't be read, for any reason. */
export function readStored(directory: string, name: string): Buffer | undefined {
  try {
    return readFileSync(join(directory, name));
  } catch {
    return undefined;
  }
}

/** Marks an entry as used, so that it is removed last. */
export function touchStored(directory: string, name: string): void {
  try {
    const path = join(directory, name);
    const now = new Date();
    if (now.getTime() - statSync(path).mtimeMs > hour) utimesSync(path, now, now);
  } catch {
    // A read-only cache can still be used.
  }
}

/** Stores bytes under a name atomically; removes the oldest entries beyond the maximum. */
export function writeStored(directory: string, name: string, bytes: Buffer): void {
  const temporary = join(directory, `.${name}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    // Not with its parents: these would create the directory of a project again that has just been renamed.
    for (const one of [dirname(directory), directory]) if (!isDirectory(one)) mkdirSync(one);
    writeFileSync(temporary, bytes, { flag: "wx" });
    renameSync(temporary, join(directory, name));
    dropOld(directory);
  } catch {
    // With a read-only or full disk, only the next run takes longer.
    removeQuietly(temporary);
  }
}

function dropOld(directory: string): void {
  const files = readdirSync(directory).map((name) => {
    return { name, at: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const entries = files.filter(({ name }) => !name.endsWith(".tmp")).sort((a, b) => b.at - a.at);
  // Temporary files of killed runs are removed after an hour.
  const left = files.filter(({ name, at }) => name.endsWith(".tmp") && Date.now() - at > hour);
  for (const { name } of [...entries.slice(kept), ...left]) removeQuietly(join(directory, name));
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another run may have removed it, or it can't be removed.
  }
}
