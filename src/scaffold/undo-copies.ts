import { type Insertion, removeInsertion } from "./anchors.ts";
import { PristineTexts } from "./pristine-texts.ts";
import type { Change } from "./scaffold.ts";
import type { UndoTarget } from "./undo-target.ts";
import { removeFromList } from "./yaml-list.ts";

/**
 * Takes back of the pristine copies what a command has made of a project that nobody has edited. A file that stays because the
 * user has changed it has no copy any more: it is the user's alone.
 */
export class UndoCopies extends PristineTexts implements UndoTarget {
  readonly isPristine = true;
  readonly #gone = new Set<string>();

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

  generated(): void {}

  keeps(): boolean {
    return false;
  }

  removes(path: string): boolean {
    return this.#gone.has(path);
  }

  /** The paths of the files that have no copy any more. */
  gone(): ReadonlySet<string> {
    return this.#gone;
  }
}
