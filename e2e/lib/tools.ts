import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of a program on PATH; undefined if it isn't there. */
export function which(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((place) => join(place, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Makes a directory to use as PATH: it holds the named programs, as far as they are installed, and nothing else. */
export function narrowPath(directory: string, programs: readonly string[]): string {
  mkdirSync(directory, { recursive: true });
  for (const program of programs) {
    const path = which(program);
    if (path) symlinkSync(realpathSync(path), join(directory, program));
  }
  return directory;
}

/** The command for one of a project's targets: make if it is installed, else the npm script of the same name. */
export function target(name: string): [string, ...string[]] {
  // No script may bear the name of an npm lifecycle event.
  const script = name === "install" || name === "uninstall" ? `${name}:crds` : name;
  return which("make") ? ["make", name] : ["npm", "run", script];
}
