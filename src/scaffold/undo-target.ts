import type { Change, Scaffold } from "./scaffold.ts";
import type { Tree } from "./tree.ts";

/** Either the project's files, or their pristine copies: what is taken back is taken out of each of them by itself. */
export interface UndoTarget extends Scaffold {
  /** The files before the command. */
  readonly tree: Tree;
  /** Whether these are the pristine copies: nothing in them is the user's. */
  readonly isPristine: boolean;

  /** Changes a file. A place that is gone has nothing to take back. */
  edit(path: string, change: Change): void;

  /** A file that `scaffold generate` has written from what goes now; one of another origin stays. */
  generated(path: string): void;

  /** Whether a file of the thing's own stays because the user has changed it. */
  keeps(path: string): boolean;

  /** Whether a file goes as far as it is known yet. */
  removes(path: string): boolean;

  /** Tells the user something about the changes. */
  note(line: string): void;
}
