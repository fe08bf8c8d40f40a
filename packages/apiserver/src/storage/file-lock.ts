import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isRunning, startOfProcess } from "../process/process.ts";

/** The process that made a claim. Parts that the system doesn't provide are empty. */
interface Owner {
  pid: number;
  /** When the process started: another process with its ID has started later. */
  started: string;
  /** Processes of other containers have the same IDs. */
  namespace: string;
  boot: string;
}

/** Attempts while others try the same. The sum of the pauses is about a quarter of a second. */
const attempts = 12;
const claimName = /^(\d+)\.(\d*)\.(\d*)\.([0-9a-f]*)\.[0-9a-f]{16}$/;

/**
 * Finds the file that a path leads to, so that a file with several paths has one lock.
 *
 * @param path - a path, perhaps of a file that doesn't exist, or of a symbolic link
 * @returns the path without symbolic links
 * @throws Error if the directory doesn't exist
 */
export function realPathOf(path: string): string {
  for (let current = resolve(path), links = 0; ; links++) {
    const real = join(realpathSync.native(dirname(current)), basename(current));
    if (links > 40 || lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return real;
    current = resolve(dirname(real), readlinkSync(real));
  }
}

/**
 * Claims a file for this process. A claim is an empty file in a directory beside the file. Its name contains the process and
 * is never used again, so that the claim of a process that has ended can be removed without a race. After its own claim,
 * each process looks for those of others: of two, at least one sees the other.
 *
 * @param path - the file, by its {@link realPathOf}
 * @param name - the path for messages
 * @returns a function that ends the claim
 * @throws Error if another process has a claim
 */
export function lockFile(path: string, name: string): () => void {
  const directory = `${path}.lock`;
  for (let attempt = 1; ; attempt++) {
    const claim = makeClaim(directory, name);
    const release = (): void => {
      rmSync(join(directory, claim), { force: true });
      try {
        rmdirSync(directory);
      } catch {
        // Others have claims, or the directory is gone.
      }
    };
    let other: Owner | undefined;
    try {
      other = otherOwner(directory, claim);
    } catch (error) {
      release();
      throw error;
    }
    if (other === undefined) return release;
    release();
    if (attempt === attempts) throw inUse(directory, name, other.pid);
    // Two processes that have seen each other must not try again at the same time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 40);
  }
}

function makeClaim(directory: string, name: string): string {
  const { pid, started, namespace, boot } = ownerOfProcess(process.pid);
  const claim = `${pid}.${started}.${namespace}.${boot}.${randomBytes(8).toString("hex")}`;
  for (let attempt = 1; ; attempt++) {
    try {
      makeDirectory(directory);
      writeFileSync(join(directory, claim), "", { flag: "wx", mode: 0o600 });
      return claim;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTDIR") removeLockFile(directory, name);
      // Another process has removed the directory at the end of its claim.
      else if (code !== "ENOENT" || attempt === attempts) throw error;
    }
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Removes the file with a process ID that earlier versions have created. */
function removeLockFile(path: string, name: string): void {
  const pid = Number(readFileSync(path, "utf8"));
  if (pid !== process.pid && isRunning(pid)) throw inUse(path, name, pid);
  rmSync(path, { force: true });
}

/** Removes the claims of processes that have ended, and finds one of another process. */
function otherOwner(directory: string, own: string): Owner | undefined {
  for (const claim of readdirSync(directory)) {
    const match = claimName.exec(claim);
    if (claim === own || match === null) continue;
    const [, pid = "", started = "", namespace = "", boot = ""] = match;
    const owner = { pid: Number(pid), started, namespace, boot };
    if (isAlive(owner)) return owner;
    rmSync(join(directory, claim), { force: true });
  }
  return undefined;
}

function isAlive(owner: Owner): boolean {
  const present = ownerOfProcess(owner.pid);
  const differs = (part: "boot" | "namespace" | "started"): boolean =>
    owner[part] !== "" && present[part] !== "" && owner[part] !== present[part];
  if (differs("boot")) return false;
  // The processes of another container can't be checked.
  if (differs("namespace")) return true;
  return isRunning(owner.pid) && !differs("started");
}

function ownerOfProcess(pid: number): Owner {
  const namespace = attempt(() => /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0]);
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").replace(/[^0-9a-f]/g, ""));
  return { pid, started: startOfProcess(pid), namespace, boot };
}

function attempt(read: () => string | undefined): string {
  try {
    const text = read() ?? "";
    return /^[0-9a-f]*$/.test(text) ? text : "";
  } catch {
    return "";
  }
}

function inUse(lock: string, name: string, pid: number): Error {
  const hint = `stop it, or remove ${lock} if that process isn't an API server`;
  return new Error(`${name}: is in use by process ${pid}\nhint: ${hint}`);
}
