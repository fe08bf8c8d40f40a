// A tenth of a processor for one process: by the kernel where this user may, else by stopping and waking it.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface CpuLimit {
  /** By what the process is held: "cgroup" or "signals". */
  readonly by: string;
  /** Lets go of the process, which may have ended. */
  lift(): Promise<void>;
}

// Milliseconds. The scheduler gives out its time in such periods, too.
const period = 100;

/** Holds a process to a share of one processor, from 0 to 1. */
export function limitCpu(pid: number, share: number): CpuLimit {
  return byCgroup(pid, share) ?? bySignals(pid, share);
}

function byCgroup(pid: number, share: number): CpuLimit | undefined {
  const quota = String(share * period * 1000);
  const versions = [
    { root: "/sys/fs/cgroup", file: "cpu.max", value: `${quota} ${period * 1000}` },
    { root: "/sys/fs/cgroup/cpu", file: "cpu.cfs_quota_us", value: quota },
  ];
  for (const { root, file, value } of versions) {
    const directory = join(root, `kubewright-${pid}`);
    try {
      mkdirSync(directory);
      // Without this file the controller isn't handed down to here, and what is written would be kept as nothing.
      if (existsSync(join(directory, file))) {
        writeFileSync(join(directory, file), value);
        writeFileSync(join(directory, "cgroup.procs"), String(pid));
        return { by: "cgroup", lift: () => leave(pid, root, directory) };
      }
      rmdirSync(directory);
    } catch {
      // No cgroups of this version here, or none for this user.
      if (existsSync(directory)) rmdirSync(directory);
    }
  }
  return undefined;
}

async function leave(pid: number, root: string, directory: string): Promise<void> {
  if (existsSync(`/proc/${pid}`)) writeFileSync(join(root, "cgroup.procs"), String(pid));
  rmdirSync(directory);
}

function bySignals(pid: number, share: number): CpuLimit {
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(() => {
    send("SIGCONT");
    setTimeout(() => send("SIGSTOP"), share * period);
  }, period);
  return {
    by: "signals",
    async lift() {
      clearInterval(timer);
      await new Promise((resolve) => setTimeout(resolve, period));
      send("SIGCONT");
    },
  };
}
