import type { Insertion } from "./anchors.ts";

/**
 * The treatment of an existing file: `refuse` (overwritten with force), `keep`, or `replace` (the file isn't the user's).
 */
export type Existing = "refuse" | "keep" | "replace";

/**
 * Changes a text.
 *
 * @throws ProblemError if it doesn't find the place to change
 */
export type Change = (text: string) => string;

/**
 * The parts of a project that a command creates. The same definition is applied by `PlanBuilder` and undone by
 * `UndoBuilder`, so that `delete` always matches `create`.
 */
export interface Scaffold {
  /** Adds a file that belongs to this resource alone. */
  file(path: string, content: string, existing: Existing): void;

  /**
   * Adds a file that several resources share: created with the first one, and removed with the last. `needed`: others need
   * it.
   */
  shared(path: string, content: string, needed: boolean): void;

  /** Inserts lines above an anchor. On removal, they stay as long as the file `about` stays, or others need them. */
  insert(path: string, insertion: Insertion, stay?: { readonly about?: string; readonly needed?: boolean }): void;

  /** Appends entries to a top-level list of a YAML file. `needed`: others have them too. */
  append(path: string, key: string, entries: readonly string[], needed: boolean): void;

  /** Applies a change, whose reverse is `back`. */
  change(path: string, forth: Change, back: Change): void;
}
