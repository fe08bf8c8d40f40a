import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { CodeCache } from "./code-cache.ts";

type Require = (id: string) => unknown;
type Body = (exports: unknown, require: Require, module: { exports: unknown }, file: string, directory: string) => void;

/**
 * Creates a loader for the chunks of the bundle. They are CommonJS and import one another by relative paths with extensions, so
 * they don't need Node's module resolution, and their code can come from a cache.
 */
export function createChunkLoader(cache: CodeCache): (path: string) => unknown {
  const loaded = new Map<string, { exports: unknown }>();
  function load(path: string): unknown {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const directory = dirname(path);
    let outside: Require | undefined;
    const require = (id: string): unknown => {
      if (id.startsWith("./") || id.startsWith("../")) return load(join(directory, id));
      outside ??= createRequire(path);
      return outside(id);
    };
    // The build writes ASCII, and latin1 is the only encoding that Node reads without checking the bytes first.
    const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, "latin1")}\n})`;
    const body = cache.compile(path, text, statSync(path).mtimeMs).runInThisContext() as Body;
    body(module.exports, require, module, path, directory);
    return module.exports;
  }
  return load;
}
