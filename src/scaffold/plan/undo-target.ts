import type { Tree } from "../files/tree.ts";
import type { Change, Scaffold } from "./scaffold.ts";

/** The project's files or their pristine copies. A command is undone in both separately. */
export interface UndoTarget extends Scaffold {
  /** The files before the command runs. */
  readonly tree: Tree;
  /** Whether these are the pristine copies, without the user's changes. */
  readonly isPristine: boolean;

  /** Changes a file. Ignores a place to change that is missing. */
  edit(path: string, change: Change): void;

  /** Removes a file that `scaffold generate` has written, unless it has another origin. */
  generated(path: string): void;

  /** Whether a file that belongs to the removed resource stays because the user has changed it. */
  keeps(path: string): boolean;

  /** Whether a file is removed, according to the changes so far. */
  removes(path: string): boolean;

  /** Adds a note for the user about the changes. */
  note(line: string): void;
}
