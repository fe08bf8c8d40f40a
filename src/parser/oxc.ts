import { createRequire } from "node:module";
import type { ParseResult } from "oxc-parser";

/** Parses the text of a file, in the dialect that its path implies. Syntax errors are part of the result. */
export type Parse = (path: string, text: string) => ParseResult;

interface Binding {
  parseSync(path: string, text: string): unknown;
}

/**
 * Loads the fast parser. Returns undefined if it has no binary for this platform. The binary is loaded without the package's
 * entry point: that is an ES module, and Node's loader for it takes longer than parsing a project.
 */
export async function openOxc(): Promise<Parse | undefined> {
  const binding = openBinding();
  if (binding === undefined) return undefined;
  const { wrap } = await import("oxc-parser/src-js/wrap.js");
  return (path, text) => wrap(binding.parseSync(path, text));
}

/** npm may install several binaries for one machine, and only one of them loads. */
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
