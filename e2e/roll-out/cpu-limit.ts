// Limits the CPU time of a process: with a cgroup if this user is allowed to, otherwise with stop and continue signals.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface CpuLimit {
  /** The mechanism: "cgroup" or "signals". */
  readonly by: string;
  /** Removes the limit. The process may have ended. */
  lift(): Promise<void>;
}

// In milliseconds. The kernel's CPU quotas have the same period.
const period = 100;

/** Limits a process to a share of one processor, from 0 to 1. */
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
      // Without this file, the controller isn't enabled for this directory, and the limit would have no effect.
      if (existsSync(join(directory, file))) {
        writeFileSync(join(directory, file), value);
        writeFileSync(join(directory, "cgroup.procs"), String(pid));
        return { by: "cgroup", lift: () => leave(pid, root, directory) };
      }
      rmdirSync(directory);
    } catch {
      // This cgroup version isn't available here, or not to this user.
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
      // The process has ended.
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
