import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { readYamlDocuments } from "@kubewright/cel/yaml";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** A document of a manifest, with the path of its file. */
export interface ManifestDocument {
  readonly file: string;
  readonly value: unknown;
}

/**
 * Returns all documents of a file, or of the files in a directory without its subdirectories.
 *
 * @throws an `Error` that contains the path of an unreadable file
 */
export function readManifests(path: string): ManifestDocument[] {
  const documents: ManifestDocument[] = [];
  for (const file of filesAt(path)) {
    for (const value of parse(readFileSync(file, "utf8"), file)) documents.push({ file, value });
  }
  return documents;
}

function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(path, entry.name))
    .sort();
}

function parse(text: string, file: string): unknown[] {
  try {
    return readYamlDocuments(text);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
