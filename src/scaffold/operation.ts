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
