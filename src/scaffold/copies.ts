import { type Insertion, insertAtAnchor } from "./anchors.ts";
import type { PlanTarget } from "./plan-target.ts";
import { pristineTree } from "./pristine.ts";
import type { Change } from "./scaffold.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";
import { appendToList } from "./yaml-list.ts";

/**
 * Makes of the pristine copies what a command makes of a project that nobody has edited. What the command decides by the
 * content of files, it decides by that of the copies: so a later replay of the commands gives the same texts.
 */
export class Copies implements PlanTarget {
  readonly tree: Tree;
  readonly #texts = new Map<string, string>();

  /** @param tree the project */
  constructor(tree: Tree) {
    this.tree = pristineTree(tree);
  }

  file(path: string, content: string): void {
    this.#texts.set(path, content);
  }

  joined(path: string, content: string): void {
    this.#texts.set(path, content);
  }

  artifact(): void {}

  shared(path: string, content: string): void {
    if (this.text(path) === undefined) this.#texts.set(path, content);
  }

  insert(path: string, insertion: Insertion): void {
    this.edit(path, (text) => insertAtAnchor(text, path, insertion));
  }

  append(path: string, key: string, entries: readonly string[]): void {
    this.edit(path, (text) => appendToList(text, path, key, entries));
  }

  change(path: string, forth: Change): void {
    this.edit(path, forth);
  }

  edit(path: string, change: (text: string) => string): void {
    const text = this.text(path);
    if (text === undefined) return;
    try {
      this.#texts.set(path, change(text));
    } catch (error) {
      // A copy of an older template may lack the anchor; it stays what it was.
      if (!(error instanceof ScaffoldError)) throw error;
    }
  }

  editIfPossible(path: string, change: (text: string) => string | undefined): void {
    this.edit(path, (text) => change(text) ?? text);
  }

  note(): void {}

  text(path: string): string | undefined {
    return this.#texts.get(path) ?? this.tree.readText(path);
  }

  /** The new texts, by the paths of the files. */
  texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }
}
