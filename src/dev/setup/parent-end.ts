import { readFileSync } from "node:fs";

/** Milliseconds between two checks. */
const checkTime = 500;

const shell = /^(?:sh|ash|bash|busybox|dash|ksh|zsh)$/;

/**
 * Calls a function when the parent process ends, such as npm or a shell that was killed. Without it, the session would run unnoticed. A
 * process whose parent has ended before continues to run: it was put into the background on purpose.
 *
 * @returns a function that ends the checks
 */
export function onParentEnd(listener: () => void): () => void {
  const parent = process.ppid;
  const starter = starterOf(parent);
  // On Windows, the parent stays the same.
  const timer = setInterval(() => {
    if (process.ppid === parent && (starter === undefined || processInfo(parent)?.parent === starter)) return;
    clearInterval(timer);
    listener();
  }, checkTime);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns the process of npm behind the shell that it has started for a script: the shell survives it. */
function starterOf(parent: number): number | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const { name = "", parent: starter } = processInfo(parent) ?? {};
  return shell.test(name) ? starter : undefined;
}

/** Reads the name and parent of a process. Only Linux has them in files; the shells of other systems don't remain behind npm. */
function processInfo(pid: number): { name: string; parent: number } | undefined {
  try {
    const [, name = "", parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
