import { createHash } from "node:crypto";

/** The inputs of a bundle, as in esbuild's metafile. */
export type BundleInputs = Readonly<Record<string, { readonly imports?: readonly { readonly path: string }[] }>>;

/** The methods of a converter. */
const converter = /\b(?:toHub|fromHub)\b/;

/**
 * Identifies the code that converts objects between versions: the modules of the project with converters, and all modules of the
 * project that these import. API servers keep what a conversion has returned, so they must learn that it has changed.
 *
 * @param code - the bundle, in which a comment with its path is above each module
 * @param inputs - the modules of the bundle, by path
 * @returns a part of a URL, empty without converters
 */
export function conversionCode(code: string, inputs: BundleInputs): string {
  const texts = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of code.split("\n")) {
    const path = line.startsWith("// ") ? line.slice(3) : "";
    if (path in inputs) {
      lines = [];
      if (!path.includes("node_modules/")) texts.set(path, lines);
    } else lines.push(line);
  }
  const reached = new Set<string>();
  const add = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { path: imported } of inputs[path]?.imports ?? []) if (imported in inputs) add(imported);
  };
  for (const [path, text] of texts) if (text.some((line) => converter.test(line))) add(path);
  if (reached.size === 0) return "";
  const hash = createHash("sha256");
  for (const path of [...reached].sort()) hash.update(`${path}\n${(texts.get(path) ?? []).join("\n")}\n`);
  return hash.digest("hex").slice(0, 16);
}
