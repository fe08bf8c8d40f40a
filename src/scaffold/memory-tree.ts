import type { Plan } from "./operation.ts";
import type { Tree } from "./tree.ts";

/** A project that lies nowhere: plans are applied to it one after another. */
export class MemoryTree implements Tree {
  readonly root = "";
  readonly #files = new Map<string, Buffer>();

  read(path: string): Buffer | undefined {
    return this.#files.get(path);
  }

  readText(path: string): string | undefined {
    return this.#files.get(path)?.toString("utf8");
  }

  /** The paths of all files, sorted. */
  paths(): string[] {
    return [...this.#files.keys()].sort();
  }

  apply(plan: Plan): void {
    for (const operation of plan.operations) {
      if (operation.op === "delete") this.#files.delete(operation.path);
      else this.#files.set(operation.path, Buffer.from(operation.content as Uint8Array));
    }
  }
}
