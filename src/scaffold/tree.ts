import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { insidePath } from "./inside.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/** Bytes of a file that is read: the largest in a project is a tarball in `vendor/` with 8 MiB. */
const largestFile = 64 * 1024 * 1024;

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
      return readRegular(insidePath(root, path), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  };
  return { root, read, readText: (path) => read(path)?.toString("utf8") };
}

/** What is opened is what was checked: a link or a pipe that takes the file's place in between isn't followed or waited for. */
function readRegular(target: string, path: string): Buffer {
  // Windows has neither flag.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { size } = fstatSync(descriptor);
    if (size <= largestFile) return readFileSync(descriptor);
    const [has, allowed] = [size, largestFile].map((bytes) => Math.ceil(bytes / 1024 / 1024));
    throw new ScaffoldError("too-large", `${path} can't be read: it has ${has} MiB, and ${allowed} are allowed`);
  } finally {
    closeSync(descriptor);
  }
}
