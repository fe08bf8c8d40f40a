import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { ProblemError } from "../../project/problem-error.ts";
import { insidePath } from "./inside.ts";

/** Maximum size of a file in bytes: the largest in a project is a tarball in `vendor/` with 8 MiB. */
const largestFile = 64 * 1024 * 1024;

/** The project on disk. Paths are checked for reads as for writes. */
export interface Tree {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Returns the file's bytes, or undefined if it doesn't exist. */
  read(path: string): Buffer | undefined;
  /** Returns the file's text, or undefined if it doesn't exist. */
  readText(path: string): string | undefined;
}

/** Opens the tree of an existing directory. */
export function openTree(directory: string): Tree {
  const root = realpathSync(directory);
  const read = (path: string): Buffer | undefined => {
    try {
      return readRegular(insidePath(root, path), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  };
  return { root, read, readText: (path) => read(path)?.toString("utf8") };
}

/**
 * Opens exactly the file that was checked: doesn't follow a link, or wait for a pipe, that has replaced it in the meantime.
 */
function readRegular(target: string, path: string): Buffer {
  // Windows has neither flag.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    if (size <= largestFile) return readFileSync(descriptor);
    const [has, allowed] = [size, largestFile].map((bytes) => Math.ceil(bytes / 1024 / 1024));
    throw new ProblemError("too-large", `${path} can't be read: it has ${has} MiB, and ${allowed} are allowed`);
  } finally {
    closeSync(descriptor);
  }
}
