import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL = 300;

/** Runs `work` exclusively under a lock file. Calls `waiting` once if it has to wait. */
export async function withLock<T>(
  file: string,
  waiting: () => void,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  for (let notified = false; !take(file); notified = true) {
    if (!notified) waiting();
    await sleep(POLL, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Removes the lock of a killed process; the next attempt takes it.
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

function isHeld(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    // The file is empty for a moment after its creation.
    if (!pid) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
