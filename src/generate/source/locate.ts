import { dirname, join, resolve } from "node:path";
import { readJson } from "../../yaml/json.ts";
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
 * Finds modules: relative ones and `#…` by trying the possible files, all others with the compiler, which is loaded only for
 * them. Caches the results.
 */
export function createLocate(files: Files, byCompiler: CompilerLocate): CompilerLocate {
  const located = new Map<string, string | undefined>();
  return (from, specifier) => {
    const key = `${dirname(from)}\0${specifier}`;
    if (!located.has(key)) located.set(key, withoutCompiler(files, from, specifier) ?? byCompiler(from, specifier));
    return located.get(key);
  };
}

function withoutCompiler(files: Files, from: string, specifier: string): string | undefined {
  const isRelative = /^\.{0,2}\//.test(specifier) || /^\.{1,2}$/.test(specifier);
  const base = isRelative ? resolve(dirname(from), specifier) : importsTarget(files, from, specifier);
  if (base === undefined) return undefined;
  if (/\.[mc]?tsx?$/.test(base) && files.isFile(base)) return base;
  const extension = /\.[mc]?jsx?$/.exec(base)?.[0];
  const renamed = extension === undefined ? [] : (compiled[extension] ?? []);
  const stem = extension === undefined ? base : base.slice(0, -extension.length);
  const candidates = [...renamed.map((end) => stem + end), ...endings.map((end) => base + end)];
  return candidates.map((candidate) => resolve(candidate)).find(files.isFile);
}

/** Resolves `#…` with `imports` of the nearest package.json, as far as it maps names or `*` to paths. */
function importsTarget(files: Files, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith("#")) return undefined;
  let directory = dirname(from);
  while (!files.isFile(join(directory, "package.json"))) {
    if (directory === dirname(directory)) return undefined;
    directory = dirname(directory);
  }
  const imports = importsOf(files, join(directory, "package.json"));
  // An exact name wins, then the longest prefix, as in Node.
  const name = Object.hasOwn(imports, specifier)
    ? specifier
    : Object.keys(imports)
        .filter((key) => matches(key, specifier))
        .sort((a, b) => b.indexOf("*") - a.indexOf("*"))[0];
  const target = name === undefined ? undefined : imports[name];
  if (name === undefined || typeof target !== "string" || !target.startsWith("./")) return undefined;
  const [start = "", end] = name.split("*");
  const middle = end === undefined ? "" : specifier.slice(start.length, specifier.length - end.length);
  return resolve(
    directory,
    target.replaceAll("*", () => middle),
  );
}

/** Whether a key of `imports` with one `*` matches a specifier. */
function matches(key: string, specifier: string): boolean {
  const [start = "", end, ...more] = key.split("*");
  return (
    end !== undefined &&
    more.length === 0 &&
    specifier.length >= key.length &&
    specifier.startsWith(start) &&
    specifier.endsWith(end)
  );
}

function importsOf(files: Files, path: string): Readonly<Record<string, unknown>> {
  try {
    const manifest = readJson(files.read(path)) as { readonly imports?: Readonly<Record<string, unknown>> } | null;
    return manifest?.imports ?? {};
  } catch {
    // The compiler reports what is wrong with the file.
    return {};
  }
}
