import { appendToList } from "../text/yaml-list.ts";
import { type Insertion, insertAtAnchor } from "./anchors.ts";
import type { PlanTarget } from "./plan-target.ts";
import { PristineTexts } from "./pristine-texts.ts";
import type { Change } from "./scaffold.ts";

/**
 * Applies to the pristine copies what a command does to an unedited project. Decisions that depend on file contents use the
 * copies' contents, so that replaying the commands later returns the same texts.
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
