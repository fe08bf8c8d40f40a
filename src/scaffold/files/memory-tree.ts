import { operationsTo, type Plan } from "./operation.ts";
import type { Tree } from "./tree.ts";

const nothing: Tree = { root: "", read: () => undefined, readText: () => undefined };

/** A project in memory, to which plans are applied one after another. It starts with the files of another tree, or empty. */
export class MemoryTree implements Tree {
  readonly root: string;
  readonly #below: Tree;
  /** Contents by path; undefined for removed files. */
  readonly #files = new Map<string, Buffer | undefined>();
  readonly #kept = new Set<string>();
  readonly #notes = new Set<string>();

  constructor(below = nothing) {
    this.root = below.root;
    this.#below = below;
  }

  read(path: string): Buffer | undefined {
    return this.#files.has(path) ? this.#files.get(path) : this.#below.read(path);
  }

  readText(path: string): string | undefined {
    return this.read(path)?.toString("utf8");
  }

  /** Returns the sorted paths of all files that plans have written. */
  paths(): string[] {
    return [...this.#written().keys()].sort();
  }

  apply(plan: Plan): void {
    for (const operation of plan.operations) {
      this.#files.set(
        operation.path,
        operation.op === "delete" ? undefined : Buffer.from(operation.content as Uint8Array),
      );
    }
    for (const path of plan.kept) this.#kept.add(path);
    for (const note of plan.notes ?? []) this.#notes.add(note);
  }

  /** Returns all applied changes as one plan for the underlying tree. */
  plan(): Plan {
    const gone = new Set([...this.#files].filter(([, content]) => content === undefined).map(([path]) => path));
    const operations = operationsTo(this.#below, this.#written(), gone);
    return { root: this.root, operations, kept: [...this.#kept], overwritten: [], notes: [...this.#notes] };
  }

  #written(): Map<string, Buffer> {
    return new Map([...this.#files].flatMap(([path, content]) => (content === undefined ? [] : [[path, content]])));
  }
}

/** Returns a tree with a plan applied to it in memory. */
export function plannedTree(tree: Tree, plan: Plan): Tree {
  const planned = new MemoryTree(tree);
  planned.apply(plan);
  return planned;
}
