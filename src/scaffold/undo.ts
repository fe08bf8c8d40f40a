import { dirname } from "node:path/posix";
import { type Insertion, removeInsertion } from "./anchors.ts";
import { operationsTo, type Plan } from "./operation.ts";
import { pack, pristinePath, readPristine } from "./pristine.ts";
import type { Change, Scaffold } from "./scaffold.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";
import { removeFromList } from "./yaml-list.ts";

/**
 * Takes back what a `PlanBuilder` would do. A file goes when it is what was scaffolded; one that the user has changed stays
 * and is named. Touches nothing.
 */
export class UndoBuilder implements Scaffold {
  readonly #tree: Tree;
  /** Files as they will be, and their pristine copies. */
  readonly #texts = new Map<string, string>();
  readonly #copies = new Map<string, string>();
  readonly #deleted = new Set<string>();
  readonly #kept: string[] = [];
  readonly #notes: string[] = [];
  readonly #shared: (() => void)[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  file(path: string, content: string): void {
    const current = this.#tree.readText(path);
    if (current === undefined || current === content || current === readPristine(this.#tree, path)) this.#delete(path);
    else this.#kept.push(path);
  }

  shared(path: string, content: string, needed: boolean): void {
    // What it holds of this thing has to be out of it first.
    this.#shared.push(() => {
      if (needed || this.#kept.some((file) => dirname(file) === dirname(path))) return;
      const current = this.#text(path);
      if (current === undefined || current === content || current === this.#copy(path)) this.#delete(path);
      else this.#kept.push(path);
    });
  }

  insert(path: string, { lines }: Insertion, stay: { about?: string; needed?: boolean } = {}): void {
    if (stay.needed === true || (stay.about !== undefined && this.keeps(stay.about))) return;
    const current = this.#text(path);
    if (current === undefined) return;
    const without = removeInsertion(current, lines);
    if (without === undefined) {
      const what = lines.map((line) => `    ${line}`).join("\n");
      this.#notes.push(`${path} no longer has these lines as they were added: take out what is left of them\n${what}`);
      return;
    }
    this.edit(path, (text) => removeInsertion(text, lines) ?? text);
  }

  append(path: string, key: string, entries: readonly string[], needed: boolean): void {
    if (!needed) this.edit(path, (text) => removeFromList(text, key, entries));
  }

  change(path: string, _forth: Change, back: Change): void {
    this.edit(path, back);
  }

  /** A file that `scaffold generate` has written from what goes now; one of another origin stays. */
  generated(path: string): void {
    const text = this.#tree.readText(path) ?? "";
    const crd = text.includes("controller-gen.kubebuilder.io/version: kubewright-");
    const webhooks = /^---\napiVersion: admissionregistration\.k8s\.io\/v1\nkind: \w+WebhookConfiguration\n/m.test(
      text,
    );
    if (crd || webhooks) this.#deleted.add(path);
  }

  /** A file that is ours alone, with its new text. */
  artifact(path: string, content: string): void {
    this.#texts.set(path, content);
  }

  /** Whether a file of the thing's own stays because the user has changed it. */
  keeps(path: string): boolean {
    return this.#kept.includes(path);
  }

  /** Whether a file goes as far as it is known yet. */
  removes(path: string): boolean {
    return this.#deleted.has(path);
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  /** The plan, in the order of the paths. */
  build(): Plan {
    for (const settle of this.#shared) settle();
    const copies = [...this.#copies].map(([path, text]) => [pristinePath(path), pack(text)] as const);
    const contents = new Map<string, string | Uint8Array>([...this.#texts, ...copies]);
    for (const path of this.#deleted) contents.delete(path);
    const operations = operationsTo(this.#tree, contents, this.#deleted);
    return { root: this.#tree.root, operations, kept: this.#kept, overwritten: [], notes: this.#notes };
  }

  #delete(path: string): void {
    this.#deleted.add(path);
    this.#deleted.add(pristinePath(path));
  }

  /** Changes a file, and its pristine copy in the same way. A place that is gone has nothing to take back. */
  edit(path: string, change: Change): void {
    const apply = (text: string | undefined, texts: Map<string, string>) => {
      if (text === undefined) return;
      try {
        const changed = change(text);
        if (changed !== text) texts.set(path, changed);
      } catch (error) {
        if (!(error instanceof ScaffoldError)) throw error;
      }
    };
    apply(this.#text(path), this.#texts);
    apply(this.#copy(path), this.#copies);
  }

  #text(path: string): string | undefined {
    return this.#texts.get(path) ?? this.#tree.readText(path);
  }

  #copy(path: string): string | undefined {
    return this.#copies.get(path) ?? readPristine(this.#tree, path);
  }
}
