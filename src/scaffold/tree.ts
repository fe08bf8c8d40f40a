import { readFileSync, realpathSync, statSync } from "node:fs";
import { insidePath } from "./inside.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/** The largest file of a project that is read, in bytes: scaffolded ones have less than a megabyte. */
const maxFileBytes = 256 * 1024 * 1024;

/** The project as it lies on disk. Reads go through the same checks as writes. */
export interface Tree {
  /** Absolute, links resolved. */
  readonly root: string;
  /** The file's bytes, or undefined where there is none. */
  read(path: string): Buffer | undefined;
  /** The file's text, or undefined where there is none. */
  readText(path: string): string | undefined;
}

/** The tree below a directory that exists. */
export function openTree(directory: string): Tree {
  const root = realpathSync(directory);
  const read = (path: string): Buffer | undefined => {
    try {
      const file = insidePath(root, path);
      const { size } = statSync(file);
      if (size > maxFileBytes) {
        throw new ScaffoldError("file-too-large", `${path} has ${size} bytes, and the limit is ${maxFileBytes}`);
      }
      return readFileSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  };
  return { root, read, readText: (path) => read(path)?.toString("utf8") };
}
