import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Files that npm, pnpm, yarn 1 and later versions of yarn write at the end of an installation. */
export const installations: readonly string[] = [
  "node_modules/.package-lock.json",
  "node_modules/.modules.yaml",
  "node_modules/.yarn-integrity",
  "node_modules/.yarn-state.yml",
];

/** Notices that the packages of a project are removed or replaced, as by `npm ci`. Until its end, nothing can be built. */
export class Installation {
  readonly #root: string;
  readonly #wasComplete: boolean;

  constructor(root: string) {
    this.#root = root;
    this.#wasComplete = this.#isComplete();
  }

  /** Whether packages are missing that were installed when the session started. */
  get isRunning(): boolean {
    // Another package manager can leave no such file.
    return this.#wasComplete && !this.#isComplete() && this.#isIncomplete();
  }

  #isComplete(): boolean {
    return installations.some((file) => existsSync(join(this.#root, file)));
  }

  #isIncomplete(): boolean {
    const path = (name: string) => join(this.#root, "node_modules", name, "package.json");
    return this.#dependencies().some((name) => !existsSync(path(name)));
  }

  #dependencies(): string[] {
    try {
      const { dependencies, devDependencies } = JSON.parse(readFileSync(join(this.#root, "package.json"), "utf8"));
      return Object.keys({ ...dependencies, ...devDependencies });
    } catch {
      // The bundle reports it.
      return [];
    }
  }
}
