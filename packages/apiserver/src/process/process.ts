import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns whether a process with an ID exists.
 *
 * @param pid - the process ID
 * @returns whether a process has the ID, also one of another user
 */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Returns when a process started. A process ID with its start identifies a process: another one with the same ID has started
 * later. The clock can jump meanwhile, so times of files don't identify processes.
 *
 * @param pid - the process ID
 * @returns digits, in a unit of the system; empty if the system doesn't provide the time, or the process has ended
 */
export function startOfProcess(pid: number): string {
  try {
    const text = process.platform === "linux" ? startOnLinux(pid) : startOnUnix(pid);
    return /^[0-9]+$/.test(text) ? text : "";
  } catch {
    return "";
  }
}

function startOnLinux(pid: number): string {
  // The name of the program is in parentheses, and can contain any character.
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? "";
}

function startOnUnix(pid: number): string {
  if (process.platform === "win32") return "";
  const text = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return String(Date.parse(`${text.trim()} UTC`) / 1000);
}

/**
 * Returns whether the process that left its ID and start in a file still runs.
 *
 * @param pid - its process ID
 * @param started - its {@link startOfProcess}; empty if it isn't known
 * @returns whether it runs: without a known start, whether any process has its ID
 */
export function isSameProcess(pid: number, started: string): boolean {
  if (!isRunning(pid)) return false;
  const present = started === "" ? "" : startOfProcess(pid);
  return present === "" || present === started;
}
