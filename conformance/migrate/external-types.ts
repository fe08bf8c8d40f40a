// Stands for the npm packages with the types of external kinds, which migrate can't find.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../../src/scaffold/files/files-below.ts";

export const externalPackage = "external-types";

/** Returns the groups and versions for which `migrate` asks for packages; none if it doesn't. */
export function externalKinds(stderr: string): string[] {
  const [, list] = /PROJECT has external kinds \(([^)]*)\)/.exec(stderr) ?? [];
  return list === undefined ? [] : list.split(", ");
}

/** Returns the types that a file imports from the package, by the path in the package. */
export function importedTypes(text: string): Map<string, string[]> {
  const types = new Map<string, string[]>();
  const pattern = new RegExp(`import (?:type )?\\{([^}]*)\\} from "${externalPackage}/([^"]+)"`, "g");
  for (const [, names = "", path = ""] of text.matchAll(pattern)) {
    const plain = names.split(",").map((part) =>
      part
        .trim()
        .replace(/^type /, "")
        .replace(/ as .*$/, ""),
    );
    types.set(path, [...(types.get(path) ?? []), ...plain.filter((each) => each !== "")]);
  }
  return types;
}

/** Returns the files of a package with all types that a project imports from it, by their paths in node_modules. */
export function externalSources(project: string): Map<string, string> {
  const types = new Map<string, Set<string>>();
  const sources = filesBelow(project, "", (name) => name !== "node_modules" && !name.startsWith("."));
  for (const path of sources.filter((source) => source.endsWith(".ts"))) {
    for (const [module, names] of importedTypes(readFileSync(join(project, path), "utf8"))) {
      types.set(module, new Set([...(types.get(module) ?? []), ...names]));
    }
  }
  const files = new Map<string, string>();
  const exports: Record<string, object> = {};
  for (const [module, names] of types) {
    const version = module.split("/").slice(-2).join("/");
    exports[`./${module}`] = { types: `./${module}.d.ts` };
    files.set(`${externalPackage}/${module}.d.ts`, [...names].map((name) => kind(name, version)).join("\n"));
  }
  files.set(`${externalPackage}/package.json`, JSON.stringify({ name: externalPackage, version: "1.0.0", exports }));
  return files;
}

const kind = (name: string, apiVersion: string): string => `export interface ${name} {
  apiVersion: "${apiVersion}";
  kind: "${name}";
  metadata?: { name?: string; namespace?: string };
  spec?: { [key: string]: unknown };
  status?: { [key: string]: unknown };
}
`;
