import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { loadAll } from "js-yaml";
import type { KubernetesObject } from "../../api/index.ts";

/** The parts of a CustomResourceDefinition that installing needs. */
export interface CRD extends KubernetesObject {
  spec: {
    group: string;
    names: { plural: string; kind: string };
    versions: { name: string; served: boolean }[];
  };
}

export interface CRDSources {
  crdDirectoryPaths: readonly string[];
  crds: readonly KubernetesObject[];
  errorIfCRDPathMissing: boolean;
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** All CRDs of the sources, one a name (the last wins). Throws an `Error` that names the file that can't be read. */
export async function readCRDs(sources: CRDSources): Promise<CRD[]> {
  const found = new Map<string, CRD>();
  const add = (value: unknown, where: string): void => {
    if (!isCRD(value)) return;
    const name = value.metadata?.name;
    if (!name || !value.spec?.group || !value.spec.names?.plural || !Array.isArray(value.spec.versions)) {
      throw new Error(`${where}: a CustomResourceDefinition without name, group, plural or versions`);
    }
    found.set(name, value);
  };
  for (const path of sources.crdDirectoryPaths) {
    if (!existsSync(path)) {
      if (sources.errorIfCRDPathMissing) throw new Error(`${path}: no such file or directory (crdDirectoryPaths)`);
      continue;
    }
    for (const file of await filesAt(path)) {
      for (const document of parse(await readFile(file, "utf8"), file)) add(document, file);
    }
  }
  sources.crds.forEach((crd, index) => {
    if (!isCRD(crd)) throw new Error(`crds[${index}] is no apiextensions.k8s.io/v1 CustomResourceDefinition`);
    add(crd, `crds[${index}]`);
  });
  return [...found.values()];
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

function isCRD(value: unknown): value is CRD {
  const object = value as KubernetesObject | null | undefined;
  return object?.kind === "CustomResourceDefinition" && object.apiVersion === "apiextensions.k8s.io/v1";
}
