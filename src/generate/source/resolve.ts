import { dirname, resolve } from "node:path";
import type { Declaration, SourceFile, Target, TypeDeclaration, ValueDeclaration } from "./model.ts";

/** Gives a file by its absolute path; undefined if there is none. */
export type FileLookup = (path: string) => SourceFile | undefined;

/** What a name stands for, once the user's modules are followed. Modules of packages are known by specifier and name only. */
export type Resolved =
  | { readonly kind: "type"; readonly declaration: TypeDeclaration; readonly file: string }
  | { readonly kind: "value"; readonly declaration: ValueDeclaration; readonly file: string }
  | { readonly kind: "module"; readonly specifier: string; readonly name: string }
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "missing"; readonly reason: string };

const suffixes = ["", ".ts", ".mts", ".tsx", "/index.ts", "/index.mts"];

/** Follows a target through imports and re-exports. `space` chooses between a type and a constant of one name. */
export function resolveTarget(target: Target, space: "type" | "value", lookup: FileLookup): Resolved {
  switch (target.kind) {
    case "global":
    case "parameter":
      return target;
    case "local":
      return findLocal(target.file, target.name, space, lookup) ?? missing(target.name, target.file);
    case "import":
      return resolveImport(target.file, target.specifier, target.name, space, lookup, new Set());
  }
}

/** The file that a relative specifier names. */
export function resolveModule(from: string, specifier: string, lookup: FileLookup): SourceFile | undefined {
  const base = resolve(dirname(from), specifier);
  // An import of "./x.js" means "./x.ts" where TypeScript is compiled before it runs.
  const bases = /\.m?js$/.test(base) ? [base.replace(/js$/, "ts"), base] : [base];
  for (const candidate of bases) {
    for (const suffix of suffixes) {
      const file = /\.m?tsx?$/.test(candidate + suffix) ? lookup(candidate + suffix) : undefined;
      if (file) return file;
    }
  }
  return undefined;
}

function resolveImport(
  from: string,
  specifier: string,
  name: string,
  space: "type" | "value",
  lookup: FileLookup,
  seen: Set<string>,
): Resolved {
  if (!specifier.startsWith(".") && !specifier.startsWith("/")) return { kind: "module", specifier, name };
  const file = resolveModule(from, specifier, lookup);
  if (!file) return { kind: "missing", reason: `cannot find the module "${specifier}"` };
  return findExport(file, name, space, lookup, seen) ?? missing(name, specifier);
}

function findExport(
  file: SourceFile,
  name: string,
  space: "type" | "value",
  lookup: FileLookup,
  seen: Set<string>,
): Resolved | undefined {
  // Two modules may re-export each other.
  const key = `${file.path}\0${name}`;
  if (seen.has(key)) return undefined;
  seen.add(key);
  const local = findLocal(file.path, name, space, lookup);
  if (local) return local;
  for (const entry of file.reExports) {
    if (entry.exported !== name) continue;
    if (entry.specifier !== undefined)
      return resolveImport(file.path, entry.specifier, entry.name, space, lookup, seen);
    if (entry.target?.kind === "import") {
      return resolveImport(file.path, entry.target.specifier, entry.target.name, space, lookup, seen);
    }
    if (entry.target) return resolveTarget(entry.target, space, lookup);
  }
  for (const entry of file.reExports) {
    if (entry.exported !== "*" || entry.specifier === undefined) continue;
    if (!entry.specifier.startsWith(".")) continue;
    const next = resolveModule(file.path, entry.specifier, lookup);
    const found = next && findExport(next, name, space, lookup, seen);
    if (found) return found;
  }
  return undefined;
}

function findLocal(
  path: string,
  name: string,
  space: "type" | "value",
  lookup: FileLookup,
): Extract<Resolved, { kind: "type" | "value" }> | undefined {
  for (const declaration of lookup(path)?.declarations ?? []) {
    if (declaration.name !== name) continue;
    if (space === "type" && isType(declaration)) return { kind: "type", declaration, file: path };
    if (space === "value" && declaration.kind === "value") return { kind: "value", declaration, file: path };
  }
  return undefined;
}

/** Whether a declaration declares a type. */
export function isType(declaration: Declaration): declaration is TypeDeclaration {
  return declaration.kind !== "value" && declaration.kind !== "other";
}

function missing(name: string, where: string): Resolved {
  return { kind: "missing", reason: `cannot find the type "${name}" in "${where}"` };
}
