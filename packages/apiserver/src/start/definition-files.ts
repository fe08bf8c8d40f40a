import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "@kubewright/cel/json";
import { readYamlDocuments } from "@kubewright/cel/yaml";

/**
 * Reads the CustomResourceDefinitions of files and directories. Subdirectories, other files than YAML and JSON, and other kinds
 * are ignored.
 *
 * @param paths - the files and directories
 * @returns the definitions, in the order of the paths and of the names of files
 * @throws Error if a path doesn't exist or a file can't be parsed
 */
export function readDefinitions(paths: readonly string[]): JsonObject[] {
  return paths.flatMap((path) => {
    if (!existsSync(path)) throw new Error(`${path}: no such file or directory with CustomResourceDefinitions`);
    if (!statSync(path).isDirectory()) return definitionsOf(path);
    const names = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
      .map(({ name }) => name);
    return names.sort().flatMap((name) => definitionsOf(join(path, name)));
  });
}

function definitionsOf(path: string): JsonObject[] {
  let documents: unknown[];
  try {
    documents = readYamlDocuments(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message.split("\n")[0]}`, { cause: error });
  }
  return documents.filter((document): document is JsonObject => isDefinition(document as JsonObject));
}

function isDefinition(document: JsonObject | null): boolean {
  return (
    isObject(document) &&
    document.kind === "CustomResourceDefinition" &&
    String(document.apiVersion).startsWith("apiextensions.k8s.io/")
  );
}
