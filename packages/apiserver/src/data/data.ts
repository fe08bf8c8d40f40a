import { readFileSync } from "node:fs";
import { packageRoot } from "./package-root.ts";

/**
 * Loads a data file of the package, once.
 *
 * @param name - the name of the file in `data/`
 * @returns a function that returns its content
 */
export function dataFile<T>(name: string): () => T {
  let content: T | undefined;
  return () => {
    content ??= JSON.parse(readFileSync(new URL(`data/${name}`, packageRoot()), "utf8")) as T;
    return content;
  };
}
