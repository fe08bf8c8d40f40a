// Resources of a running process, as Linux reports them.
import { readdirSync, readFileSync } from "node:fs";

// USER_HZ, which is 100 on every architecture that Node runs on.
const ticksPerSecond = 100;

/** CPU seconds (user and system) in steps of 10 ms, and memory in MiB: now, and at its highest so far. */
export function processUsage(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The command's name may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)[1]) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssMiB: mebibytes("VmRSS"),
    peakMiB: mebibytes("VmHWM"),
  };
}

/** CPU seconds of the threads that run, to the nanosecond: for what does next to nothing. Threads that end take theirs along. */
export function threadSeconds(pid) {
  const nanos = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanos.reduce((sum, each) => sum + each, 0) / 1e9;
}
