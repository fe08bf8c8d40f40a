import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of a program on PATH; undefined if it isn't found. */
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

/** Creates a directory to use as PATH, with only the named programs that are installed. */
export function narrowPath(directory: string, programs: readonly string[]): string {
  mkdirSync(directory, { recursive: true });
  for (const program of programs) {
    const path = which(program);
    if (path) symlinkSync(realpathSync(path), join(directory, program));
  }
  return directory;
}

/** Returns the command for a make target: make if it is installed, otherwise the npm script of the same name. */
export function target(name: string): [string, ...string[]] {
  // An npm script can't have the name of a lifecycle event.
  const script = name === "install" || name === "uninstall" ? `${name}:crds` : name;
  return which("make") ? ["make", name] : ["npm", "run", script];
}
