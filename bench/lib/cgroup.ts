// Applies a container's limits to one process with cgroup v2 or v1. Needs root and a writable hierarchy.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const top = "/sys/fs/cgroup";
/** In microseconds, as set by the kubelet. */
const period = 100_000;
/** Ten times the default share of the CPU, up to the limit: other work on the machine must not look like an attack. */
const shares = { version1: 10_240, version2: 1000 };

/** The limits of a container. */
export interface Limits {
  readonly memoryMiB: number;
  /** 0.5 is half a CPU. */
  readonly cpus?: number;
}

export interface Cgroup {
  /** The files that a process writes its id to. */
  readonly files: readonly string[];
  oomKills(): number;
  /** Removes the group; its processes must have ended. */
  remove(): void;
}

/**
 * Creates a group with limits.
 *
 * @returns the group; `undefined` if this machine has no cgroup that can be written
 */
export function createCgroup(name: string, { memoryMiB, cpus }: Limits): Cgroup | undefined {
  const make = existsSync(join(top, "cgroup.controllers")) ? version2 : version1;
  try {
    return make(name, memoryMiB * 2 ** 20, cpus && Math.round(cpus * period));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["EACCES", "EPERM", "EROFS", "ENOENT", "EBUSY"].includes(code)) return undefined;
    throw error;
  }
}

function version1(name: string, bytes: number, quota: number | undefined): Cgroup {
  const memory = join(top, "memory", name);
  const cpu = join(top, "cpu", name);
  const directories = quota ? [memory, cpu] : [memory];
  for (const directory of directories) mkdirSync(directory, { recursive: true });
  writeFileSync(join(memory, "memory.limit_in_bytes"), String(bytes));
  const done = group(directories, join(memory, "memory.oom_control"));
  if (!quota) return done;
  writeFileSync(join(cpu, "cpu.cfs_period_us"), String(period));
  writeFileSync(join(cpu, "cpu.cfs_quota_us"), String(quota));
  writeFileSync(join(cpu, "cpu.shares"), String(shares.version1));
  return done;
}

function version2(name: string, bytes: number, quota: number | undefined): Cgroup {
  const directory = join(top, name);
  writeFileSync(join(top, "cgroup.subtree_control"), "+cpu +memory");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "memory.max"), String(bytes));
  writeFileSync(join(directory, "memory.swap.max"), "0");
  if (quota) {
    writeFileSync(join(directory, "cpu.max"), `${quota} ${period}`);
    writeFileSync(join(directory, "cpu.weight"), String(shares.version2));
  }
  return group([directory], join(directory, "memory.events"));
}

const group = (directories: readonly string[], events: string): Cgroup => ({
  files: directories.map((directory) => join(directory, "cgroup.procs")),
  oomKills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(events, "utf8"))?.[1] ?? 0),
  remove: () => {
    for (const directory of directories) rmdirSync(directory);
  },
});
