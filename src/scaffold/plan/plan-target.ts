import type { Tree } from "../files/tree.ts";
import type { Scaffold } from "./scaffold.ts";

/** The project's files or their pristine copies. A command plans its changes for both separately. */
export interface PlanTarget extends Scaffold {
  /** The files before the command runs. */
  readonly tree: Tree;

  /**
   * Adds a scaffolded file that is merged into the user's. The pristine copy contains only the scaffolded part.
   *
   * @throws the errors of `merge`
   */
  joined(
    path: string,
    content: string,
    merge: (theirs: string) => { readonly text: string; readonly notes: readonly string[] },
  ): void;

  /** Adds a file that users don't edit, so that no pristine copy is kept. */
  artifact(path: string, content: string | Uint8Array): void;

  /**
   * Changes an existing file.
   *
   * @throws the errors of `change`
   */
  edit(path: string, change: (text: string) => string): void;

  /** Changes a file as `edit` does. If `change` returns undefined, notes the advice for the user. */
  editIfPossible(path: string, change: (text: string) => string | undefined, advice: string): void;

  /** Adds a note for the user about the changes. */
  note(line: string): void;

  /** Returns a file's text with the changes so far, or undefined if it doesn't exist. */
  text(path: string): string | undefined;
}
