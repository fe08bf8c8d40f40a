import { type Stats, unwatchFile, watchFile } from "node:fs";

/** Milliseconds between two checks. */
const checkTime = 500;

/** Watches single files by their state, so that their directories can be replaced, as by a build. */
export class LinkedFiles {
  readonly #onChange: (path: string) => void;
  readonly #listeners = new Map<string, (now: Stats, before: Stats) => void>();

  constructor(onChange: (path: string) => void) {
    this.#onChange = onChange;
  }

  /** Watches these files, and no others. */
  set(paths: readonly string[]): void {
    const wanted = new Set(paths);
    for (const path of this.#listeners.keys()) if (!wanted.has(path)) this.#leave(path);
    for (const path of wanted) if (!this.#listeners.has(path)) this.#follow(path);
  }

  close(): void {
    this.set([]);
  }

  #follow(path: string): void {
    const listener = (now: Stats, before: Stats) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) this.#onChange(path);
    };
    this.#listeners.set(path, listener);
    watchFile(path, { interval: checkTime, persistent: false }, listener);
  }

  #leave(path: string): void {
    unwatchFile(path, this.#listeners.get(path));
    this.#listeners.delete(path);
  }
}
