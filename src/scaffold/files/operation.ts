import type { Tree } from "./tree.ts";

/** A change of one file. Paths are relative to the project, with `/`. */
export type Operation =
  | { readonly op: "create" | "update"; readonly path: string; readonly content: string | Uint8Array }
  | { readonly op: "delete"; readonly path: string };

/** All changes of a command, computed before any file is written. */
export interface Plan {
  /** The project's absolute directory. */
  readonly root: string;
  readonly operations: readonly Operation[];
  /** The user's files that are kept, although a scaffolded file has the same path. */
  readonly kept: readonly string[];
  /** The user's files that `--force` overwrites. */
  readonly overwritten: readonly string[];
  /** Notes on the changes for the user, one line each. */
  readonly notes?: readonly string[];
}

/**
 * Returns the operations that write these contents to a tree and remove the files in `gone`, sorted by path. A path in both
 * is written.
 */
export function operationsTo(
  tree: Tree,
  contents: ReadonlyMap<string, string | Uint8Array>,
  gone: ReadonlySet<string> = new Set(),
): Operation[] {
  const operations: Operation[] = [];
  for (const path of gone) {
    if (!contents.has(path) && tree.read(path) !== undefined) operations.push({ op: "delete", path });
  }
  for (const [path, content] of contents) {
    const current = tree.read(path);
    if (current?.equals(Buffer.from(content as Uint8Array)) === true) continue;
    operations.push({ op: current === undefined ? "create" : "update", path, content });
  }
  return operations.sort((a, b) => (a.path < b.path ? -1 : 1));
}
