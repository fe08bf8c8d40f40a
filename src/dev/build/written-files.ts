import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Remembers the texts of files that the session wrote, so that it doesn't react to them. */
export class WrittenFiles {
  readonly #root: string;
  readonly #texts = new Map<string, string>();

  /** @param root - the project */
  constructor(root: string) {
    this.#root = root;
  }

  /** Records that the session wrote a file. Its path is relative to the project. */
  add(file: string): void {
    const text = this.#read(file);
    if (text === undefined) this.#texts.delete(file);
    else this.#texts.set(file, text);
  }

  /** Checks whether a file has the content that the session wrote. */
  has(file: string): boolean {
    const text = this.#texts.get(file);
    return text !== undefined && this.#read(file) === text;
  }

  #read(file: string): string | undefined {
    try {
      return readFileSync(join(this.#root, file), "utf8");
    } catch {
      return undefined;
    }
  }
}
