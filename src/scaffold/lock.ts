import { createHash, randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateDirectory, stateDirectory, temporaryDirectory } from "./private-directory.ts";
import { ScaffoldError } from "./scaffold-error.ts";

const pause = 40;
/** No plan takes this long: a lock that is older was left by a process whose number another one has now. */
const forgotten = 10 * 60_000;

/** Locks lie outside of the project, so that a refused command leaves no trace in it, and are this machine's only. */
function lockDirectory(root: string, onRefused?: (line: string) => void): string {
  const places = [temporaryDirectory("locks", root), stateDirectory("locks", root)];
  return privateDirectory(
    places.filter((place) => place !== undefined),
    onRefused,
  );
}

export interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called once when another run has to be waited for, with its process id. */
  readonly onWait?: (pid: number) => void;
  /** Called with one line if the usual directory for locks can't be trusted. */
  readonly onRefused?: (line: string) => void;
}

/**
 * Runs work while no other run works on the same project. A second run waits.
 *
 * @param root the project's directory, links resolved
 * @throws ScaffoldError `interrupted`, or `no-private-directory`
 */
export async function withLock<T>(root: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const path = join(
    lockDirectory(root, options.onRefused),
    createHash("sha256").update(root).digest("hex").slice(0, 32),
  );
  const mine = `${path}.${randomUUID()}`;
  let told = false;
  try {
    writeLock(mine);
    while (!take(mine, path)) {
      if (options.signal?.aborted) throw new ScaffoldError("interrupted", "interrupted while waiting for another run");
      const holder = readHolder(path);
      if (holder !== undefined && !alive(holder.pid, holder.age)) {
        discard(path, holder.text);
        continue;
      }
      if (!told && holder !== undefined) {
        told = true;
        options.onWait?.(holder.pid);
      }
      await sleep(pause);
    }
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function writeLock(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    const reason = (error as Error).message.replace(/, \w+( '.*)?$/s, "");
    throw new ScaffoldError(
      "write-failed",
      `can't write the lock of the project, nothing was changed: ${reason}`,
      `free disk space in ${dirname(path)}`,
    );
  }
}

/** A hard link appears at once and with its text, or not at all. */
function take(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(path: string): { pid: number; age: number; text: string } | undefined {
  try {
    const text = readFileSync(path, "utf8");
    return { pid: Number(text), age: Date.now() - statSync(path).mtimeMs, text };
  } catch {
    return undefined;
  }
}

function alive(pid: number, age: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || age > forgotten) return false;
  // Two runs in one process (tests do that) wait for each other too.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes a dead run's lock, and puts it back if another run has taken it in the meantime. */
function discard(path: string, dead: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== dead) linkSync(aside, path);
  } catch {
    // Somebody else was faster: the next attempt sees what there is.
  } finally {
    rmSync(aside, { force: true });
  }
}
