import { type Insertion, insertAtAnchor } from "./anchors.ts";
import type { PlanTarget } from "./plan-target.ts";
import { PristineTexts } from "./pristine-texts.ts";
import type { Change } from "./scaffold.ts";
import { appendToList } from "./yaml-list.ts";

/**
 * Makes of the pristine copies what a command makes of a project that nobody has edited. What the command decides by the
 * content of files, it decides by that of the copies: so a later replay of the commands gives the same texts.
 */
export class Copies extends PristineTexts implements PlanTarget {
  file(path: string, content: string): void {
    this.set(path, content);
  }

  joined(path: string, content: string): void {
    this.set(path, content);
  }

  artifact(): void {}

  shared(path: string, content: string): void {
    if (this.text(path) === undefined) this.set(path, content);
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

  editIfPossible(path: string, change: (text: string) => string | undefined): void {
    this.edit(path, (text) => change(text) ?? text);
  }
}
