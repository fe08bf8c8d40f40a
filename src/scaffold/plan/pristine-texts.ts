import { ProblemError } from "../../project/problem-error.ts";
import type { Tree } from "../files/tree.ts";
import { pristineTree } from "../pristine/pristine.ts";
import type { Change } from "./scaffold.ts";

/** The texts of a project's pristine copies, with the changes of a command. */
export class PristineTexts {
  readonly tree: Tree;
  readonly #texts = new Map<string, string>();

  /** @param tree the project */
  constructor(tree: Tree) {
    this.tree = pristineTree(tree);
  }

  /** Changes the text of a copy, if there is one. */
  edit(path: string, change: Change): void {
    const text = this.text(path);
    if (text === undefined) return;
    try {
      this.#texts.set(path, change(text));
    } catch (error) {
      // A copy of an older template may lack the place to change; it stays unchanged.
      if (!(error instanceof ProblemError)) throw error;
    }
  }

  /** Ignores notes, because they are about the user's own files. */
  note(): void {}

  /** Returns the text of a copy with the changes so far, or `undefined` without a copy. */
  text(path: string): string | undefined {
    return this.#texts.get(path) ?? this.tree.readText(path);
  }

  /** Returns the new texts, by the paths of the files. */
  texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  protected set(path: string, text: string): void {
    this.#texts.set(path, text);
  }
}
