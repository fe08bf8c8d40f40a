import { dirname } from "node:path/posix";
import { ProblemError } from "../../project/problem-error.ts";
import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { isCode } from "../format/format.ts";
import { isSameCode } from "../format/same-code.ts";
import { changePristine, readPristine } from "../pristine/pristine.ts";
import { withoutModeline } from "../text/modeline.ts";
import { removeFromList } from "../text/yaml-list.ts";
import { type Insertion, removeInsertion } from "./anchors.ts";
import { brokenImports } from "./broken-imports.ts";
import type { Change } from "./scaffold.ts";
import { UndoCopies } from "./undo-copies.ts";
import type { UndoTarget } from "./undo-target.ts";

/**
 * Undoes the changes of a `PlanBuilder`. Removes unchanged scaffolded files; files that the user has changed stay, with a
 * note. Collects changes without writing files.
 */
export class UndoBuilder implements UndoTarget {
  readonly tree: Tree;
  readonly isPristine = false;
  /** The new texts of files. */
  readonly #texts = new Map<string, string>();
  readonly #copies: UndoCopies;
  readonly #force: boolean;
  readonly #deleted = new Set<string>();
  readonly #kept: string[] = [];
  readonly #notes: string[] = [];
  readonly #shared: (() => void)[] = [];

  /** @param options `force` also removes files that the user has changed */
  constructor(tree: Tree, { force = false }: { readonly force?: boolean } = {}) {
    this.tree = tree;
    this.#force = force;
    this.#copies = new UndoCopies(tree);
  }

  /** Returns the targets of the removal: the files, and their pristine copies. */
  both(): readonly [UndoTarget, UndoTarget] {
    return [this, this.#copies];
  }

  file(path: string, content: string): void {
    const current = this.tree.readText(path);
    const scaffolded = [content, readPristine(this.tree, path)];
    if (current === undefined || isUnchanged(path, current, scaffolded)) this.#deleted.add(path);
    else this.#keep(path);
  }

  shared(path: string, content: string, needed: boolean): void {
    // The lines of this resource must be removed from it first.
    this.#shared.push(() => {
      if (needed || this.#kept.some((file) => dirname(file) === dirname(path))) return;
      const current = this.#text(path);
      const scaffolded = [content, this.#copies.text(path)];
      if (current === undefined || isUnchanged(path, current, scaffolded)) this.#deleted.add(path);
      else this.#keep(path);
    });
  }

  insert(path: string, { lines }: Insertion, stay: { about?: string; needed?: boolean } = {}): void {
    if (stay.needed === true || (stay.about !== undefined && this.keeps(stay.about))) return;
    const current = this.#text(path);
    if (current === undefined) return;
    const without = removeInsertion(current, lines, path);
    if (without === undefined) {
      const what = lines.map((line) => `    ${line}`).join("\n");
      this.#notes.push(
        `${path} no longer contains these lines as they were added: remove what is left of them\n${what}`,
      );
      return;
    }
    this.edit(path, (text) => removeInsertion(text, lines, path) ?? text);
  }

  append(path: string, key: string, entries: readonly string[], needed: boolean): void {
    if (!needed) this.edit(path, (text) => removeFromList(text, key, entries));
  }

  change(path: string, _forth: Change, back: Change): void {
    this.edit(path, back);
  }

  generated(path: string): void {
    const text = this.tree.readText(path) ?? "";
    const crd = text.includes("controller-gen.kubebuilder.io/version: kubewright-");
    const webhooks = /^---\napiVersion: admissionregistration\.k8s\.io\/v1\nkind: \w+WebhookConfiguration\n/m.test(
      text,
    );
    if (crd || webhooks) this.#deleted.add(path);
  }

  /** Sets the text of a file that users don't edit. */
  artifact(path: string, content: string): void {
    this.#texts.set(path, content);
  }

  keeps(path: string): boolean {
    return this.#kept.includes(path);
  }

  removes(path: string): boolean {
    return this.#deleted.has(path);
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  /** Returns the plan, sorted by path. */
  build(): Plan {
    for (const settle of this.#shared) settle();
    const copies = new Map([...this.#copies.texts()].filter(([path]) => !this.#copies.gone().has(path)));
    const archive = changePristine(this.tree, copies, this.#copies.gone());
    const contents = new Map<string, string | Uint8Array>([...this.#texts, ...archive.contents]);
    const gone = new Set([...this.#deleted, ...archive.gone]);
    for (const path of gone) contents.delete(path);
    const operations = operationsTo(this.tree, contents, gone);
    const plan = { root: this.tree.root, operations, kept: this.#kept, overwritten: [] };
    const broken = brokenImports(this.tree, plan).map(({ file, what }) => {
      const way = this.keeps(file) ? `remove ${file} too` : "change it";
      return `${file} imports ${what}, and doesn't compile without it: ${way}`;
    });
    return { ...plan, notes: [...this.#notes, ...broken] };
  }

  edit(path: string, change: Change): void {
    const text = this.#text(path);
    if (text === undefined) return;
    try {
      const changed = change(text);
      if (changed !== text) this.#texts.set(path, changed);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
    }
  }

  #keep(path: string): void {
    if (!this.#force) {
      this.#kept.push(path);
      return;
    }
    this.#deleted.add(path);
    this.#notes.push(`${path} is removed with your changes`);
  }

  #text(path: string): string | undefined {
    return this.#texts.get(path) ?? this.tree.readText(path);
  }
}

/** Whether a file has one of its scaffolded texts. Code may have any format, and samples a modeline for their schema. */
function isUnchanged(path: string, current: string, scaffolded: readonly (string | undefined)[]): boolean {
  const has = (text: string | undefined) => text !== undefined && isCode(path) && isSameCode(current, text);
  const plain = withoutModeline(current);
  return scaffolded.some((text) => text === current || text === plain || has(text));
}
