// Starts processes to measure, and reads their resource usage on Linux.
import { readdirSync, readFileSync } from "node:fs";

/**
 * The environment of the measured processes. Node reads the file of NODE_EXTRA_CA_CERTS whenever it starts, which takes 30 ms of
 * CPU for the certificates of a Linux distribution. Few users set this variable, and the peers ignore it.
 */
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

export { environment };

// USER_HZ, which is 100 on every architecture that Node runs on.
const ticksPerSecond = 100;

/** Returns CPU seconds (user and system) in steps of 10 ms, and the current and peak memory in MiB. */
export function processUsage(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The command's name may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)[1]) / 1024;
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
export function threadSeconds(pid) {
  const nanos = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanos.reduce((sum, each) => sum + each, 0) / 1e9;
}
