import { ProblemError } from "../../project/problem-error.ts";
import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { isCode } from "../format/format.ts";
import { isSameCode } from "../format/same-code.ts";
import { changePristine, readPristine } from "../pristine/pristine.ts";
import { appendToList } from "../text/yaml-list.ts";
import { anchorsOf, type Insertion, insertAtAnchor } from "./anchors.ts";
import { Copies } from "./copies.ts";
import type { PlanTarget } from "./plan-target.ts";
import type { Change, Existing } from "./scaffold.ts";

/** Collects the changes of a command without writing files. */
export class PlanBuilder implements PlanTarget {
  readonly tree: Tree;
  readonly #force: boolean;
  readonly #forceable: boolean;
  readonly #contents = new Map<string, string | Uint8Array>();
  /** The paths of scaffolded files, whose pristine copies are kept. */
  readonly #scaffolded = new Set<string>();
  readonly #copies: Copies;
  readonly #kept: string[] = [];
  readonly #conflicts: string[] = [];
  readonly #notes: string[] = [];

  /** @param options without `force`, the command doesn't have such a flag */
  constructor(tree: Tree, options: { force?: boolean }) {
    this.tree = tree;
    this.#copies = new Copies(tree);
    this.#force = options.force === true;
    this.#forceable = options.force !== undefined;
  }

  /** Returns the targets of a command: the files, and their pristine copies. */
  both(): readonly [PlanTarget, PlanTarget] {
    return [this, this.#copies];
  }

  file(path: string, content: string, existing: Existing): void {
    const current = this.tree.readText(path);
    const isSame = current === content || (isCode(path) && current !== undefined && isSameCode(current, content));
    if (current !== undefined && !isSame) {
      if (existing === "keep") {
        this.#kept.push(path);
        return;
      }
      if (existing === "refuse") this.#conflicts.push(path);
    }
    this.#contents.set(path, content);
    this.#scaffolded.add(path);
  }

  joined(
    path: string,
    content: string,
    merge: (theirs: string) => { readonly text: string; readonly notes: readonly string[] },
  ): void {
    const current = this.tree.readText(path);
    const merged = current === undefined ? { text: content, notes: [] } : merge(current);
    this.#notes.push(...merged.notes);
    this.#contents.set(path, merged.text);
    this.#scaffolded.add(path);
  }

  artifact(path: string, content: string | Uint8Array): void {
    this.#contents.set(path, content);
  }

  shared(path: string, content: string, needed: boolean): void {
    // The file remains from a deleted kind whose changed types were kept, or a user created it: only the copy is needed.
    if (this.#has(path)) return void this.#scaffolded.add(path);
    this.file(path, content, "keep");
    // The user deleted a list that other parts have lines in, so those are lost.
    if (needed && anchorsOf(content).length > 0) {
      this.#notes.push(
        `${path} was missing and is created again, without the lines of other kinds: review it with git diff`,
      );
    }
  }

  insert(path: string, insertion: Insertion): void {
    this.edit(path, (text) => insertAtAnchor(text, path, insertion, { onDisk: this.tree.readText(path) }));
  }

  append(path: string, key: string, entries: readonly string[]): void {
    this.edit(path, (text) => appendToList(text, path, key, entries));
  }

  change(path: string, forth: Change): void {
    this.edit(path, forth);
  }

  /** Whether the file exists, on disk or in this plan. */
  #has(path: string): boolean {
    return this.#contents.has(path) || this.tree.read(path) !== undefined;
  }

  edit(path: string, change: (text: string) => string): void {
    const current = this.text(path);
    if (current === undefined)
      throw new ProblemError(
        "missing-file",
        `${path} is missing`,
        "restore it from version control, or scaffold the project again",
      );
    this.#contents.set(path, change(current));
  }

  editIfPossible(path: string, change: (text: string) => string | undefined, advice: string): void {
    const current = this.text(path);
    if (current === undefined || change(current) === undefined) this.#notes.push(advice);
    else this.edit(path, (text) => change(text) ?? text);
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  text(path: string): string | undefined {
    const planned = this.#contents.get(path);
    if (planned === undefined) return this.tree.readText(path);
    return typeof planned === "string" ? planned : Buffer.from(planned).toString("utf8");
  }

  /** Returns the plan, sorted by path. Refuses to overwrite the user's files without `force`. */
  build(): Plan {
    if (this.#conflicts.length > 0 && !this.#force) throw conflictError(this.#conflicts, this.#forceable);
    // A file that the user created before it was scaffolded has no pristine copy, and gets none.
    const isScaffolded = (path: string) => this.#scaffolded.has(path) || readPristine(this.tree, path) !== undefined;
    const copies = new Map([...this.#copies.texts()].filter(([path]) => isScaffolded(path)));
    const { contents, gone } = changePristine(this.tree, copies);
    const operations = operationsTo(this.tree, new Map([...this.#contents, ...contents]), gone);
    return { root: this.tree.root, operations, kept: this.#kept, overwritten: this.#conflicts, notes: this.#notes };
  }
}

function conflictError(paths: readonly string[], forceable: boolean): ProblemError {
  const [verb, them] = paths.length === 1 ? ["exists", "it"] : ["exist", "them"];
  const names = paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ");
  return new ProblemError(
    "file-exists",
    `${names} ${verb} already and would be overwritten`,
    `move ${them} to another place first${forceable ? `, or overwrite ${them} with --force` : ""}`,
  );
}
