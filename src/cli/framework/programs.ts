import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { liesOutside } from "../../scaffold/files/inside.ts";

/** The environment and directory in which to search for programs. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
}

/** A program that is installed on this machine, or one that only the checkout contains and that must not be run. */
export type Found = { readonly path: string } | { readonly inside: string };

/**
 * Finds a program as a shell does, but not in the checkout, which isn't trusted. `npx` and `npm run` put its `node_modules/.bin`
 * first in PATH, and relative or empty entries of PATH can point into it.
 *
 * @param name a name, or a path relative to the working directory
 * @returns undefined if the program doesn't exist
 */
export function findProgram(name: string, place: Place): Found | undefined {
  if (/[\\/]/.test(name)) {
    const path = executable(resolve(place.cwd, name));
    return path === undefined ? undefined : isInside(path, place.cwd) ? { inside: path } : { path };
  }
  const candidates = entriesOf(place).map((entry) => ({ entry, path: executable(resolve(place.cwd, entry, name)) }));
  const trusted = candidates.find(({ entry, path }) => path !== undefined && isTrusted(entry, path, place.cwd));
  if (trusted?.path !== undefined) return { path: trusted.path };
  const inside = candidates.find(({ path }) => path !== undefined)?.path;
  return inside === undefined ? undefined : { inside };
}

/**
 * Returns the environment for a program. Its PATH has no entries in the checkout, so that the program doesn't find others there,
 * such as credential plugins of kubectl.
 */
export function programEnvironment(place: Place): Record<string, string | undefined> {
  const entries = entriesOf(place).filter((entry) => isTrusted(entry, entry, place.cwd));
  return { ...place.env, [pathKey(place.env)]: entries.join(delimiter) };
}

/** Whether a file or directory, after resolving links, is in the checkout that contains the working directory. */
export function isInside(path: string, cwd: string): boolean {
  const root = checkoutRoot(realPath(cwd));
  return root !== undefined && [path, realPath(path)].some((each) => !liesOutside(root, each));
}

/**
 * Returns the root of the untrusted checkout: the outermost directory with a PROJECT file or a git repository, otherwise the
 * working directory. Undefined if it would include the user's home, whose programs are trusted.
 */
function checkoutRoot(cwd: string): string | undefined {
  const home = userHome();
  const hasHome = (directory: string) => home !== undefined && !liesOutside(directory, home);
  if (hasHome(cwd)) return existsSync(join(cwd, "PROJECT")) ? cwd : undefined;
  let root = cwd;
  for (let directory = cwd; directory !== dirname(directory) && !hasHome(directory); directory = dirname(directory)) {
    if (["PROJECT", ".git"].some((name) => existsSync(join(directory, name)))) root = directory;
  }
  return root;
}

function userHome(): string | undefined {
  try {
    return realPath(homedir());
  } catch {
    // The user has no passwd entry, as in a container with an arbitrary uid.
    return undefined;
  }
}

/** Whether an entry of PATH is absolute, outside of the checkout, and not a `node_modules/.bin` that npm adds for a parent directory. */
function isTrusted(entry: string, path: string, cwd: string): boolean {
  if (!isAbsolute(entry) || isInside(entry, cwd) || isInside(path, cwd)) return false;
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    if (normalize(join(entry, ".")) === join(directory, "node_modules", ".bin")) return false;
    if (directory === dirname(directory)) return true;
  }
}

function entriesOf({ env }: Place): string[] {
  const path = env[pathKey(env)];
  // An empty entry means the working directory.
  return path === undefined ? [] : path.split(delimiter).map((entry) => (entry === "" ? "." : entry));
}

/** Returns the name of the PATH variable, which isn't case-sensitive on Windows. */
function pathKey(env: Place["env"]): string {
  if (process.platform !== "win32") return "PATH";
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
}

/** Returns the path of an executable file, with an extension on Windows; undefined if there is none. */
function executable(path: string): string | undefined {
  const extensions = process.platform === "win32" ? (process.env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";") : [];
  return [path, ...extensions.map((extension) => `${path}${extension}`)].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
