import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The inputs of a bundle, as in esbuild's metafile. */
export type BundleInputs = Readonly<
  Record<string, { readonly imports?: readonly { readonly path: string; readonly external?: boolean }[] }>
>;

/** The methods of a converter. */
const converter = /\b(?:toHub|fromHub)\b/;

/**
 * Identifies the code that converts objects between versions: the files of the project with converters, and all files of the
 * project that these import. API servers keep what a conversion has returned, so they must learn that it has changed.
 *
 * @param root - the directory of the project
 * @param inputs - the files of the bundle, relative to the project
 * @returns a part of a URL, empty without converters
 */
export function conversionCode(root: string, inputs: BundleInputs): string {
  const texts = new Map<string, string>();
  for (const path of Object.keys(inputs)) {
    if (path.includes("node_modules/")) continue;
    const text = read(resolve(root, path));
    if (text !== undefined) texts.set(path, text);
  }
  const reached = new Set<string>();
  const add = (path: string): void => {
    if (reached.has(path) || !texts.has(path)) return;
    reached.add(path);
    for (const { path: imported } of inputs[path]?.imports ?? []) add(imported);
  };
  for (const [path, text] of texts) if (converter.test(text)) add(path);
  if (reached.size === 0) return "";
  const hash = createHash("sha256");
  for (const path of [...reached].sort()) hash.update(`${path}\n${texts.get(path)}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** A file can be deleted during a build, which the next build notices. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
