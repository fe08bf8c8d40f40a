import type { Scaffold } from "./scaffold.ts";
import type { Tree } from "./tree.ts";

/** Either the project's files, or their pristine copies: a command plans its changes for each of them by itself. */
export interface PlanTarget extends Scaffold {
  /** The files before the command. */
  readonly tree: Tree;

  /**
   * Adds a scaffolded file that joins one of the user's. The pristine copy is what was scaffolded, without the user's part.
   * Throws what `merge` throws.
   */
  joined(
    path: string,
    content: string,
    merge: (theirs: string) => { readonly text: string; readonly notes: readonly string[] },
  ): void;

  /** Adds a file that is ours alone and of which no copy is kept. */
  artifact(path: string, content: string | Uint8Array): void;

  /** Changes a file that exists. Throws what `change` throws. */
  edit(path: string, change: (text: string) => string): void;

  /** Changes a file as `edit` does if `change` finds its place in it; else the user is told what to do. */
  editIfPossible(path: string, change: (text: string) => string | undefined, advice: string): void;

  /** Tells the user something about the changes. */
  note(line: string): void;

  /** A file's text as this plan leaves it so far, or undefined if there is none. */
  text(path: string): string | undefined;
}
