import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { liesOutside } from "../scaffold/inside.ts";

/** What the search for a program depends on. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
}

/** A program of this machine, or one that only the checkout has, which isn't run. */
export type Found = { readonly path: string } | { readonly inside: string };

/**
 * Finds a program as a shell does, but never runs what a checkout brings: `npx` and `npm run` put its `node_modules/.bin` first
 * in PATH, and relative or empty entries of PATH lead into it.
 *
 * @param name a name, or a path relative to the working directory
 * @returns undefined if there is no such program at all
 */
export function findProgram(name: string, place: Place): Found | undefined {
  if (/[\\/]/.test(name)) {
    const path = executable(resolve(place.cwd, name));
    return path === undefined ? undefined : isInside(path, place.cwd) ? { inside: path } : { path };
  }
  const found = entriesOf(place).map((entry) => ({ entry, path: executable(resolve(place.cwd, entry, name)) }));
  const trusted = found.find(({ entry, path }) => path !== undefined && isTrusted(entry, path, place.cwd));
  if (trusted?.path !== undefined) return { path: trusted.path };
  const inside = found.find(({ path }) => path !== undefined)?.path;
  return inside === undefined ? undefined : { inside };
}

/**
 * The environment for a program of this machine: its own search in PATH, such as that of kubectl for credential plugins, doesn't
 * lead into the checkout either.
 */
export function programEnvironment(place: Place): Record<string, string | undefined> {
  const entries = entriesOf(place).filter((entry) => isTrusted(entry, entry, place.cwd));
  return { ...place.env, [pathKey(place.env)]: entries.join(delimiter) };
}

/** Whether a file or directory belongs to the checkout that the working directory is in, links resolved. */
export function isInside(path: string, cwd: string): boolean {
  const root = checkoutRoot(realPath(cwd));
  return root !== undefined && [path, realPath(path)].some((each) => !liesOutside(root, each));
}

/**
 * The directory whose content came from elsewhere: the outermost one with a PROJECT file or a git repository, else the working
 * directory. Undefined if that would include the user's home, whose programs are the user's own.
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
    // No entry for this user, as in a container with a made-up uid.
    return undefined;
  }
}

/** The entry is absolute, the program isn't in the checkout, and it isn't what npm adds for a directory above. */
function isTrusted(entry: string, path: string, cwd: string): boolean {
  if (!isAbsolute(entry) || isInside(entry, cwd) || isInside(path, cwd)) return false;
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    if (normalize(join(entry, ".")) === join(directory, "node_modules", ".bin")) return false;
    if (directory === dirname(directory)) return true;
  }
}

function entriesOf({ env }: Place): string[] {
  const path = env[pathKey(env)];
  // An empty entry is the working directory.
  return path === undefined ? [] : path.split(delimiter).map((entry) => (entry === "" ? "." : entry));
}

/** Windows calls it `Path`, and any case will do there. */
function pathKey(env: Place["env"]): string {
  if (process.platform !== "win32") return "PATH";
  return Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
}

/** A file that can be run, with the extension that Windows adds; undefined if there is none. */
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
