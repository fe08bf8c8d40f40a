import type { Insertion } from "./anchors.ts";

/** What becomes of a file that exists already: `refuse` (overwritten with force), `keep`, or `replace` (it is ours). */
export type Existing = "refuse" | "keep" | "replace";

/** A change of a text. Throws a ScaffoldError where it doesn't find its place. */
export type Change = (text: string) => string;

/**
 * What a command makes of a project. Said once, it is done by a `PlanBuilder` and taken back by an `UndoBuilder`, so that
 * `delete` never lags behind `create`.
 */
export interface Scaffold {
  /** A file of the thing's own. */
  file(path: string, content: string, existing: Existing): void;

  /** A file that several things share: the first one makes it, the last one takes it along. `needed`: there are others. */
  shared(path: string, content: string, needed: boolean): void;

  /** Lines above an anchor. They stay as long as the file that they are about stays, and as long as others need them. */
  insert(path: string, insertion: Insertion, stay?: { readonly about?: string; readonly needed?: boolean }): void;

  /** Entries of a top-level list of a YAML file. `needed`: others have them too. */
  append(path: string, key: string, entries: readonly string[], needed: boolean): void;

  /** A change and its opposite. */
  change(path: string, forth: Change, back: Change): void;
}
