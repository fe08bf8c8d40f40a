import { createRequire } from "node:module";
import type { ParseResult } from "oxc-parser";

/** Parses the text of a file; its path tells the dialect. Syntax errors are part of the result. */
export type Parse = (path: string, text: string) => ParseResult;

interface Binding {
  parseSync(path: string, text: string): unknown;
}

/**
 * The fast parser; undefined where it has no binary for this platform. The binary is loaded without the package's own entry:
 * that is an ES module, and the loader which Node starts for it takes longer than parsing a project.
 */
export async function openOxc(): Promise<Parse | undefined> {
  const binding = openBinding();
  if (binding === undefined) return undefined;
  const { wrap } = await import("oxc-parser/src-js/wrap.js");
  return (path, text) => wrap(binding.parseSync(path, text));
}

/** npm installs those binaries that may run here: of two for one machine the wrong one doesn't load. */
function openBinding(): Binding | undefined {
  const load = createRequire(createRequire(import.meta.url).resolve("oxc-parser"));
  const { optionalDependencies } = load("oxc-parser/package.json") as { optionalDependencies: object };
  const here = `@oxc-parser/binding-${process.platform}-${process.arch}`;
  for (const name of Object.keys(optionalDependencies)) {
    if (!name.startsWith(here)) continue;
    try {
      return load(name) as Binding;
    } catch {}
  }
  return undefined;
}
