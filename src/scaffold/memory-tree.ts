import { operationsTo, type Plan } from "./operation.ts";
import type { Tree } from "./tree.ts";

const nothing: Tree = { root: "", read: () => undefined, readText: () => undefined };

/** A project that is not written yet: plans are applied to it one after another. It begins with what lies below, or with nothing. */
export class MemoryTree implements Tree {
  readonly root: string;
  readonly #below: Tree;
  /** By path; undefined for what is gone. */
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

  /** The paths of all files that plans have written, sorted. */
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

  /** Everything that was applied, as one plan for what lies below. */
  plan(): Plan {
    const gone = new Set([...this.#files].filter(([, content]) => content === undefined).map(([path]) => path));
    const operations = operationsTo(this.#below, this.#written(), gone);
    return { root: this.root, operations, kept: [...this.#kept], overwritten: [], notes: [...this.#notes] };
  }

  #written(): Map<string, Buffer> {
    return new Map([...this.#files].flatMap(([path, content]) => (content === undefined ? [] : [[path, content]])));
  }
}

/** A tree as a plan will leave it. */
export function plannedTree(tree: Tree, plan: Plan): Tree {
  const planned = new MemoryTree(tree);
  planned.apply(plan);
  return planned;
}
