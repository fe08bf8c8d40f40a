import { type Insertion, removeInsertion } from "./anchors.ts";
import { pristineTree } from "./pristine.ts";
import type { Change } from "./scaffold.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";
import type { UndoTarget } from "./undo-target.ts";
import { removeFromList } from "./yaml-list.ts";

/**
 * Takes back of the pristine copies what a command has made of a project that nobody has edited. A file that stays because the
 * user has changed it has no copy any more: it is the user's alone.
 */
export class UndoCopies implements UndoTarget {
  readonly tree: Tree;
  readonly isPristine = true;
  readonly #texts = new Map<string, string>();
  readonly #gone = new Set<string>();

  /** @param tree the project */
  constructor(tree: Tree) {
    this.tree = pristineTree(tree);
  }

  file(path: string): void {
    this.#gone.add(path);
  }

  shared(path: string, _content: string, needed: boolean): void {
    if (!needed) this.#gone.add(path);
  }

  insert(path: string, { lines }: Insertion, stay: { needed?: boolean } = {}): void {
    if (stay.needed !== true) this.edit(path, (text) => removeInsertion(text, lines) ?? text);
  }

  append(path: string, key: string, entries: readonly string[], needed: boolean): void {
    if (!needed) this.edit(path, (text) => removeFromList(text, key, entries));
  }

  change(path: string, _forth: Change, back: Change): void {
    this.edit(path, back);
  }

  edit(path: string, change: Change): void {
    const text = this.text(path);
    if (text === undefined) return;
    try {
      this.#texts.set(path, change(text));
    } catch (error) {
      if (!(error instanceof ScaffoldError)) throw error;
    }
  }

  generated(): void {}

  keeps(): boolean {
    return false;
  }

  removes(path: string): boolean {
    return this.#gone.has(path);
  }

  note(): void {}

  /** The text of a copy without what is taken back, if there is one. */
  text(path: string): string | undefined {
    return this.#texts.get(path) ?? this.tree.readText(path);
  }

  /** The new texts, by the paths of the files. */
  texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** The paths of the files that have no copy any more. */
  gone(): ReadonlySet<string> {
    return this.#gone;
  }
}
