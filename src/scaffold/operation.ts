import type { Tree } from "./tree.ts";

/** One change of the tree. Paths are relative to the project, with `/`. */
export type Operation =
  | { readonly op: "create" | "update"; readonly path: string; readonly content: string | Uint8Array }
  | { readonly op: "delete"; readonly path: string };

/** Everything that a command would do, computed before anything is touched. */
export interface Plan {
  /** The project's directory, absolute. */
  readonly root: string;
  readonly operations: readonly Operation[];
  /** Files of the user that stay as they are, although the scaffold has one of that name. */
  readonly kept: readonly string[];
  /** Files of the user that `--force` overwrites. */
  readonly overwritten: readonly string[];
  /** What the user should know about the changes, a line each. */
  readonly notes?: readonly string[];
}

/**
 * What it takes until a tree holds these contents and holds no longer what is gone, in the order of the paths. A path that
 * is in both stays.
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
