import { createHash, randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isSameProcess, startOfProcess } from "@kubewright/apiserver/process";
import { ProblemError } from "../../project/problem-error.ts";
import { systemHint } from "../../project/system-hint.ts";
import { privateDirectory, stateDirectory, temporaryDirectory } from "./private-directory.ts";

const pause = 40;
/**
 * Time in milliseconds that a run waits for a process whose start isn't known: no plan takes this long, so another process has
 * its ID now. It is measured by the run that waits, because the clock of file times can jump.
 */
const forgotten = 10 * 60_000;

/**
 * Returns the directory for locks. It is outside of the project, so that a rejected command leaves no trace, and local to
 * this machine.
 */
function lockDirectory(root: string, onRefused?: (line: string) => void): string {
  const places = [temporaryDirectory("locks", root), stateDirectory("locks", root)];
  return privateDirectory(
    places.filter((place) => place !== undefined),
    onRefused,
  );
}

export interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called once if another run must finish first, with its process id. */
  readonly onWait?: (pid: number) => void;
  /** Called with one line if the usual lock directory isn't trusted. */
  readonly onRefused?: (line: string) => void;
}

/**
 * Runs work with an exclusive lock on a project. A second run waits.
 *
 * @param root the project's directory, links resolved
 * @throws ProblemError `interrupted`, or `no-private-directory`
 */
export async function withLock<T>(root: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const path = join(
    lockDirectory(root, options.onRefused),
    createHash("sha256").update(root).digest("hex").slice(0, 32),
  );
  const mine = `${path}.${randomUUID()}`;
  let notified = false;
  let seen: { text: string; since: number } | undefined;
  try {
    writeLock(mine);
    while (!take(mine, path)) {
      if (options.signal?.aborted) throw new ProblemError("interrupted", "interrupted while waiting for another run");
      const holder = readHolder(path);
      if (holder !== undefined) {
        if (seen?.text !== holder.text) seen = { text: holder.text, since: performance.now() };
        const isForgotten = holder.started === "" && performance.now() - seen.since > forgotten;
        if (isForgotten || !isSameProcess(holder.pid, holder.started)) {
          discard(path, holder.text);
          continue;
        }
      }
      if (!notified && holder !== undefined) {
        notified = true;
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
    writeFileSync(path, `${process.pid} ${startOfProcess(process.pid)}`, { flag: "wx" });
  } catch (error) {
    const reason = (error as Error).message.replace(/, \w+( '.*)?$/s, "");
    throw new ProblemError(
      "write-failed",
      `can't write the lock of the project, nothing was changed: ${dirname(path)}: ${reason}`,
      systemHint((error as NodeJS.ErrnoException).code),
    );
  }
}

/** Creates the lock as a hard link, which appears atomically with its content. */
function take(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readHolder(path: string): { pid: number; started: string; text: string } | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const [pid, started = ""] = text.split(" ");
    return { pid: Number(pid), started, text };
  } catch {
    return undefined;
  }
}

/** Removes the lock of a dead process. Puts it back if another run has taken it in the meantime. */
function discard(path: string, dead: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== dead) linkSync(aside, path);
  } catch {
    // Another run was faster: the next attempt reads its lock.
  } finally {
    rmSync(aside, { force: true });
  }
}
