import { statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { loadAll } from "js-yaml";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** A document of a manifest, and the file that it is from. */
export interface ManifestDocument {
  readonly file: string;
  readonly value: unknown;
}

/**
 * All documents of a file, or of the files in a directory (not what is below it). Throws an `Error` that names the file that can't be
 * read.
 */
export async function readManifests(path: string): Promise<ManifestDocument[]> {
  const documents: ManifestDocument[] = [];
  for (const file of await filesAt(path)) {
    for (const value of parse(await readFile(file, "utf8"), file)) documents.push({ file, value });
  }
  return documents;
}

async function filesAt(path: string): Promise<string[]> {
  if (!statSync(path).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(path, entry.name))
    .sort();
}

function parse(text: string, file: string): unknown[] {
  try {
    return loadAll(text, undefined, { filename: file });
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
