// Starts processes to measure, and reads their resource usage on Linux.
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * The environment of the measured processes. Node reads the file of NODE_EXTRA_CA_CERTS whenever it starts, which takes 30 ms of
 * CPU for the certificates of a Linux distribution. Few users set this variable, and the peers ignore it.
 */
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

export { environment };

// USER_HZ, which is 100 on every architecture that Node runs on.
const ticksPerSecond = 100;

/**
 * Returns the id of a process.
 *
 * @throws Error if it could not be started
 */
export function started({ pid, spawnfile }: ChildProcess): number {
  if (pid === undefined) throw new Error(`${spawnfile} could not be started`);
  return pid;
}

export interface ProcessUsage {
  /** User and system time in steps of 10 ms. */
  readonly cpuSeconds: number;
  readonly rssMiB: number;
  readonly peakMiB: number;
}

/** Returns the CPU time of a process so far, and its current and peak memory. */
export function processUsage(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The command's name may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssMiB: mebibytes("VmRSS"),
    peakMiB: mebibytes("VmHWM"),
  };
}

/**
 * Returns the CPU seconds of running threads with nanosecond resolution, for nearly idle processes. Excludes threads that
 * have ended.
 */
export function threadSeconds(pid: number): number {
  const nanos = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanos.reduce((sum, nano) => sum + nano, 0) / 1e9;
}
