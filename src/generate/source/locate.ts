import { dirname, resolve } from "node:path";
import type { Files } from "./files.ts";

/** Finds the file of a module specifier as the compiler does, with `node_modules`, `exports` and `paths`. */
export type CompilerLocate = (from: string, specifier: string) => string | undefined;

/** The possible endings of a specifier without an extension, in the compiler's order. */
const endings = [".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts"].flatMap((end) => [end, `/index${end}`]);

/** `./a.js` refers to `./a.ts` if TypeScript is compiled before it runs. */
const compiled: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx", ".d.ts"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

/**
 * Finds modules: relative ones by trying the possible files, all others with the compiler, which is loaded only for them.
 * Caches the results.
 */
export function createLocate(files: Files, byCompiler: CompilerLocate): CompilerLocate {
  const known = new Map<string, string | undefined>();
  return (from, specifier) => {
    const key = `${dirname(from)}\0${specifier}`;
    if (!known.has(key)) known.set(key, relative(files, from, specifier) ?? byCompiler(from, specifier));
    return known.get(key);
  };
}

function relative(files: Files, from: string, specifier: string): string | undefined {
  if (!/^\.{0,2}\//.test(specifier) && !/^\.{1,2}$/.test(specifier)) return undefined;
  const base = resolve(dirname(from), specifier);
  if (/\.[mc]?tsx?$/.test(base) && files.isFile(base)) return base;
  const extension = /\.[mc]?jsx?$/.exec(base)?.[0];
  const renamed = extension === undefined ? [] : (compiled[extension] ?? []);
  const stem = extension === undefined ? base : base.slice(0, -extension.length);
  const candidates = [...renamed.map((end) => stem + end), ...endings.map((end) => base + end)];
  return candidates.map((candidate) => resolve(candidate)).find(files.isFile);
}
