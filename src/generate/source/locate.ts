import { dirname, resolve } from "node:path";
import type { Files } from "./files.ts";

/** Finds the file that a specifier names as the compiler would, `node_modules`, `exports` and `paths` included. */
export type CompilerLocate = (from: string, specifier: string) => string | undefined;

/** What stands behind a name without an extension, in the compiler's order. */
const endings = [".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts"].flatMap((end) => [end, `/index${end}`]);

/** `./a.js` means `./a.ts` where TypeScript is compiled before it runs. */
const compiled: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx", ".d.ts"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

/**
 * Finds modules: relative ones by trying the few files that they can be, all others with the compiler, which is only
 * loaded for them. Answers are kept.
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
