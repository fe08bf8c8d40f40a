import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The seed with a finding that several processes search for. The lowest one counts, so that the result doesn't depend on the
 * number of processes.
 */
export class FoundSeeds {
  readonly #paths: string[];
  readonly #own: string;

  /**
   * @param directory - a directory of all processes
   * @param name - name of the simulation
   * @param share - which process this is, and how many there are
   */
  constructor(directory: string, name: string, { index, count }: { index: number; count: number }) {
    const file = createHash("sha256").update(name).digest("hex").slice(0, 16);
    this.#paths = Array.from({ length: count }, (_, number) => join(directory, `${file}-${number}`));
    this.#own = this.#paths.splice(index, 1)[0] as string;
  }

  /** Notes a seed. */
  add(seed: number): void {
    writeFileSync(this.#own, String(seed));
  }

  /** Whether another process has a finding with a lower seed. */
  isBefore(seed: number): boolean {
    return this.#paths.some((path) => existsSync(path) && Number(readFileSync(path, "utf8") || Infinity) < seed);
  }
}
