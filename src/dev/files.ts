import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import type { SessionFile } from "./protocol.ts";

/** The files of a session. */
export interface SessionPaths {
  /** Directory of everything that can be removed. */
  readonly cache: string;
  readonly data: string;
  readonly bundles: string;
  readonly session: string;
  readonly kubeconfig: string;
}

/** Returns the paths of a project's session. Packages can be shared by several projects; sessions aren't. */
export function sessionPaths(root: string): SessionPaths {
  const modules = join(root, "node_modules");
  const isOwn = existsSync(modules) && realpathSync(modules).startsWith(realpathSync(root) + sep);
  const cache = isOwn ? join(modules, ".cache", "kubewright", "dev") : join(root, ".kubewright", "dev");
  return {
    cache,
    data: join(cache, "data.jsonl"),
    bundles: join(cache, "bundles"),
    session: join(cache, "session.json"),
    kubeconfig: join(root, ".kubewright", "dev.kubeconfig"),
  };
}

/** Writes a file that only its owner can read. Readers see the old content or the new one. */
export function writeSecret(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  // The mode of a new file is limited by the umask, never widened.
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

/** Creates the directory of a session, which Git ignores. */
export function prepareCache({ cache, bundles }: SessionPaths): void {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  writeFileSync(join(cache, ".gitignore"), "*\n");
  rmSync(bundles, { recursive: true, force: true });
  prepareBundles(bundles);
}

/** Creates the directory of the bundles, if it doesn't exist. `npm ci` removes it with all packages. */
export function prepareBundles(bundles: string): void {
  const path = join(bundles, "package.json");
  if (existsSync(path)) return;
  mkdirSync(bundles, { recursive: true });
  writeFileSync(path, '{ "type": "module" }\n');
}

/** Returns the running session of a project. A file that a killed session left is ignored. */
export function runningSession(root: string): SessionFile | undefined {
  let file: SessionFile;
  try {
    file = (JSON.parse(readFileSync(sessionPaths(root).session, "utf8")) ?? {}) as SessionFile;
  } catch {
    return undefined;
  }
  if (!Number.isInteger(file.pid) || typeof file.url !== "string" || typeof file.token !== "string") return undefined;
  return isRunning(file.pid) ? file : undefined;
}

/** Whether a process with the ID exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
