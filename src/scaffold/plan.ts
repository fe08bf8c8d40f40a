import { anchorsOf, type Insertion, insertAtAnchor } from "./anchors.ts";
import { operationsTo, type Plan } from "./operation.ts";
import { pack, pristinePath, readPristine } from "./pristine.ts";
import type { Change, Existing, Scaffold } from "./scaffold.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";
import { appendToList } from "./yaml-list.ts";

/** Collects what a command wants of the tree; touches nothing. */
export class PlanBuilder implements Scaffold {
  readonly #tree: Tree;
  readonly #force: boolean;
  readonly #forceable: boolean;
  readonly #contents = new Map<string, string | Uint8Array>();
  /** The pristine copies of scaffolded files, by the files' paths. */
  readonly #copies = new Map<string, string>();
  readonly #kept: string[] = [];
  readonly #conflicts: string[] = [];
  readonly #notes: string[] = [];

  /** @param options without `force` the command has no such flag */
  constructor(tree: Tree, options: { force?: boolean }) {
    this.#tree = tree;
    this.#force = options.force === true;
    this.#forceable = options.force !== undefined;
  }

  /** Adds a scaffolded file. Its text is kept as the pristine copy too. */
  file(path: string, content: string, existing: Existing): void {
    const current = this.#tree.readText(path);
    if (current !== undefined && current !== content) {
      if (existing === "keep") {
        this.#kept.push(path);
        return;
      }
      if (existing === "refuse") this.#conflicts.push(path);
    }
    this.#contents.set(path, content);
    this.#copies.set(path, content);
  }

  /**
   * Adds a scaffolded file that joins one of the user's. The pristine copy is what was scaffolded, without the user's part.
   * Throws what `merge` throws.
   */
  joined(
    path: string,
    content: string,
    merge: (theirs: string) => { readonly text: string; readonly notes: readonly string[] },
  ): void {
    const current = this.#tree.readText(path);
    const merged = current === undefined ? { text: content, notes: [] } : merge(current);
    this.#notes.push(...merged.notes);
    this.#contents.set(path, merged.text);
    this.#copies.set(path, content);
  }

  /** Adds a file that is ours alone and of which no copy is kept. */
  artifact(path: string, content: string | Uint8Array): void {
    this.#contents.set(path, content);
  }

  shared(path: string, content: string, needed: boolean): void {
    if (this.#has(path)) return;
    this.file(path, content, "keep");
    // A list that others have lines in: those are gone with it.
    if (needed && anchorsOf(content).length > 0) {
      this.#notes.push(`${path} was missing and is made anew, without what other kinds had in it: look at git diff`);
    }
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

  /** Whether the file exists, on disk or in this plan. */
  #has(path: string): boolean {
    return this.#contents.has(path) || this.#tree.read(path) !== undefined;
  }

  /** Changes a file that exists, and its pristine copy in the same way. Throws what `change` throws for the file itself. */
  edit(path: string, change: (text: string) => string): void {
    const current = this.text(path);
    if (current === undefined)
      throw new ScaffoldError("missing-file", `${path} is missing`, "restore it, or scaffold the project anew");
    const changed = change(current);
    this.#contents.set(path, changed);
    const pristine = this.#copies.get(path) ?? readPristine(this.#tree, path);
    if (pristine === undefined) return;
    try {
      this.#copies.set(path, pristine === current ? changed : change(pristine));
    } catch (error) {
      // A copy of an older template may lack the anchor; it stays what it was.
      if (!(error instanceof ScaffoldError)) throw error;
    }
  }

  /** Changes a file as `edit` does where `change` finds its place in it; else the user is told what to do. */
  editIfPossible(path: string, change: (text: string) => string | undefined, advice: string): void {
    const current = this.text(path);
    if (current === undefined || change(current) === undefined) this.#notes.push(advice);
    else this.edit(path, (text) => change(text) ?? text);
  }

  /** Tells the user something about the changes. */
  note(line: string): void {
    this.#notes.push(line);
  }

  /** A file's text as this plan leaves it so far, or undefined where there is none. */
  text(path: string): string | undefined {
    const planned = this.#contents.get(path);
    if (planned === undefined) return this.#tree.readText(path);
    return typeof planned === "string" ? planned : Buffer.from(planned).toString("utf8");
  }

  /** The plan, in the order of the paths. Refuses to overwrite what a user wrote unless forced. */
  build(): Plan {
    if (this.#conflicts.length > 0 && !this.#force) throw conflictError(this.#conflicts, this.#forceable);
    const copies = [...this.#copies].map(([path, text]) => [pristinePath(path), pack(text)] as const);
    const operations = operationsTo(this.#tree, new Map([...this.#contents, ...copies]));
    return { root: this.#tree.root, operations, kept: this.#kept, overwritten: this.#conflicts, notes: this.#notes };
  }
}

function conflictError(paths: readonly string[], forceable: boolean): ScaffoldError {
  const [verb, them] = paths.length === 1 ? ["exists", "it"] : ["exist", "them"];
  const names = paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ");
  return new ScaffoldError(
    "file-exists",
    `${names} ${verb} already and would be overwritten`,
    `move ${them} away first${forceable ? `, or let --force overwrite ${them}` : ""}`,
  );
}
