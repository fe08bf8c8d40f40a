import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { liesOutside } from "./inside.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/** A directory that nobody but this user can write to, or why one isn't. */
type Claimed = { readonly path: string } | { readonly refused: string };

/**
 * The first of some directories that is this user's alone; it is created if it is missing.
 *
 * @param candidates absolute, the best one first
 * @param onRefused called with one line for each candidate that is there and can't be trusted
 * @throws ScaffoldError `no-private-directory` if all are refused
 */
export function privateDirectory(candidates: readonly string[], onRefused?: (line: string) => void): string {
  const refused: string[] = [];
  for (const candidate of candidates) {
    const claimed = claim(candidate);
    if ("path" in claimed) {
      for (const line of refused) onRefused?.(`${line}; ${claimed.path} is used instead`);
      return claimed.path;
    }
    refused.push(`${candidate} isn't used: ${claimed.refused}`);
  }
  throw new ScaffoldError(
    "no-private-directory",
    `no directory is this user's alone: ${refused.join("; ") || "there is neither a home nor a temporary directory"}`,
    "set XDG_STATE_HOME to a directory that only you can write to",
  );
}

/** Whether a directory is there, and is this user's alone. Creates nothing. */
export function isPrivate(path: string): boolean {
  return problemOf(path) === undefined;
}

/** Where this user's programs keep state, outside of a project; undefined without a home of one's own. */
export function stateDirectory(name: string, root: string): string | undefined {
  const base = stateHome();
  return base === undefined || !liesOutside(root, base) ? undefined : join(base, "kubewright", name);
}

/** A directory of this user's in the system's temporary directory; undefined if that is inside of the project. */
export function temporaryDirectory(name: string, root: string): string | undefined {
  const base = tmpdir();
  return isAbsolute(base) && liesOutside(root, base) ? join(base, `kubewright-${name}-${userName()}`) : undefined;
}

function stateHome(): string | undefined {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return XDG_STATE_HOME;
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA;
  let home: string;
  try {
    home = homedir();
    // sudo may keep the home of the user who called it.
    if (process.getuid !== undefined && statSync(home).uid !== process.getuid()) return undefined;
  } catch {
    return undefined;
  }
  if (!isAbsolute(home)) return undefined;
  return process.platform === "darwin" ? join(home, "Library/Application Support") : join(home, ".local/state");
}

function userName(): string {
  try {
    return String(process.getuid?.() ?? userInfo().uid);
  } catch {
    // Windows without an entry for this user.
    return "any";
  }
}

function claim(path: string): Claimed {
  try {
    makeDirectory(path);
  } catch (error) {
    // Something else has the name, which is what is wrong.
    const problem = lstatSync(path, { throwIfNoEntry: false }) && problemOf(path);
    return { refused: problem ?? `it can't be created (${(error as NodeJS.ErrnoException).code})` };
  }
  const refused = problemOf(path);
  return refused === undefined ? { path } : { refused };
}

/** Not mkdir's `recursive`, which never ends where the system doesn't let a directory be made, as below /proc. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path || existsSync(dirname(path))) throw error;
    makeDirectory(dirname(path));
    makeDirectory(path);
  }
}

function problemOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "it isn't there";
  if (stat.isSymbolicLink()) return "it is a link";
  if (!stat.isDirectory()) return "it isn't a directory";
  // Windows gives a user's directories to that user alone.
  if (process.getuid === undefined) return undefined;
  if (stat.uid !== process.getuid()) return "it belongs to another user";
  return (stat.mode & 0o077) === 0 ? undefined : `others may use it (mode ${(stat.mode & 0o777).toString(8)}, not 700)`;
}
