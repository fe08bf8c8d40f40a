import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** A checkout of a Go project. */
export interface GoCheckout {
  /** The name of its directory. */
  readonly name: string;
  readonly directory: string;
  /** The number of kinds in PROJECT. */
  readonly kinds: number;
}

/** Directories without sources of the project. */
export const left = new Set([".git", "vendor", "node_modules", "bin"]);

/**
 * Returns the projects with PROJECT version 3 in the directories below a directory, two levels deep.
 *
 * @param only the only name to return
 */
export function projectsBelow(directory: string, only?: string): GoCheckout[] {
  const directories = (parent: string) =>
    readdirSync(parent)
      .filter((name) => !name.startsWith(".") && !left.has(name))
      .map((name) => join(parent, name))
      .filter((path) => statSync(path).isDirectory())
      .sort();
  const tops = directories(directory);
  const projects = tops.flatMap((top) => (isProject(top) ? [top] : directories(top).filter(isProject)));
  return projects
    .map((path) => ({
      name: basename(path),
      directory: path,
      kinds: kindsIn(readFileSync(join(path, "PROJECT"), "utf8")),
    }))
    .filter(({ name }) => only === undefined || name === only);
}

function isProject(directory: string): boolean {
  const path = join(directory, "PROJECT");
  return existsSync(path) && isVersion3(readFileSync(path, "utf8"));
}

/** Reports whether a PROJECT file has the version that `scaffold migrate` reads. */
export function isVersion3(text: string): boolean {
  return /^version:[ \t]*["']?3["']?[ \t\r]*(?:#.*)?$/m.test(text);
}

/** Returns the number of different kinds in a PROJECT file. */
export function kindsIn(text: string): number {
  return new Set([...text.matchAll(/^\s*(?:- )?kind:\s*["']?(\w+)/gm)].map(([, kind]) => kind)).size;
}

/** Copies the sources of a project. */
export function copyProject(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((name) => !left.has(name))) {
    cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
