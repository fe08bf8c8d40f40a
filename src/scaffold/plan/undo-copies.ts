import { removeFromList } from "../text/yaml-list.ts";
import { type Insertion, removeInsertion } from "./anchors.ts";
import { PristineTexts } from "./pristine-texts.ts";
import type { Change } from "./scaffold.ts";
import type { UndoTarget } from "./undo-target.ts";

/**
 * Undoes a command in the pristine copies, as in an unedited project. A file that stays because the user has changed it
 * loses its copy and becomes the user's own.
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
    if (stay.needed !== true) this.edit(path, (text) => removeInsertion(text, lines, path) ?? text);
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

  /** Returns the paths of files that lose their copy. */
  gone(): ReadonlySet<string> {
    return this.#gone;
  }
}
