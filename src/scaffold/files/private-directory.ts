import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { liesOutside } from "./inside.ts";

/** A directory that only this user can write to, or the reason why it isn't one. */
type Claimed = { readonly path: string } | { readonly refused: string };

/**
 * Returns the first directory that is private to this user. Creates it if it is missing.
 *
 * @param candidates absolute paths in order of preference
 * @param onRefused called with one line for each existing directory that isn't trusted
 * @throws ProblemError `no-private-directory` if all are refused
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
  throw new ProblemError(
    "no-private-directory",
    `no directory is this user's alone: ${refused.join("; ") || "there is neither a home nor a temporary directory"}`,
    "set XDG_STATE_HOME to a directory that only you can write to",
  );
}

/** Whether a directory exists and is private to this user. Creates nothing. */
export function isPrivate(path: string): boolean {
  return problemOf(path) === undefined;
}

/**
 * Returns the directory for this user's program state, outside of the project; undefined if the user has no home directory.
 */
export function stateDirectory(name: string, root: string): string | undefined {
  const base = stateHome();
  return base === undefined || !liesOutside(root, base) ? undefined : join(base, "kubewright", name);
}

/** Returns this user's directory in the system's temporary directory; undefined if that is inside the project. */
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
    // sudo may keep the home of the calling user.
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
    // On Windows, the user may have no entry.
    return "any";
  }
}

function claim(path: string): Claimed {
  try {
    makeDirectory(path);
  } catch (error) {
    // If something else has the name, report that.
    const problem = lstatSync(path, { throwIfNoEntry: false }) && problemOf(path);
    return { refused: problem ?? `it can't be created (${(error as NodeJS.ErrnoException).code})` };
  }
  const refused = problemOf(path);
  return refused === undefined ? { path } : { refused };
}

/** Creates a directory. mkdir's `recursive` option never returns if the system forbids directories, as below /proc. */
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
  // On Windows, only a user can access their own directories.
  if (process.getuid === undefined) return undefined;
  if (stat.uid !== process.getuid()) return "it belongs to another user";
  return (stat.mode & 0o077) === 0 ? undefined : `others may use it (mode ${(stat.mode & 0o777).toString(8)}, not 700)`;
}
