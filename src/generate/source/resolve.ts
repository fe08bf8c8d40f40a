import { basename, isAbsolute } from "node:path";
import type { Declaration, ReExport, SourceFile, Target, TypeDeclaration, ValueDeclaration } from "./model.ts";
import { declarationsNamed, reExportNamed } from "./named.ts";
import { createStars, type Stars } from "./stars.ts";

/** Access to other files while following names. */
export interface Modules {
  /** Returns the file at an absolute path; undefined if there is none. */
  readonly file: (path: string) => SourceFile | undefined;
  /** Returns the absolute path of the file that a specifier refers to; undefined if there is none. */
  readonly locate: (from: string, specifier: string) => string | undefined;
  /** Returns whether a type is identified by its module and name, so that its file doesn't matter. */
  readonly isKnown: (specifier: string, name: string) => boolean;
}

/** The result of following a name through modules. Known types keep their specifier and name. */
export type Resolved =
  | { readonly kind: "type"; readonly declaration: TypeDeclaration; readonly file: string }
  | { readonly kind: "value"; readonly declaration: ValueDeclaration; readonly file: string }
  | { readonly kind: "module"; readonly specifier: string; readonly name: string }
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "parameter"; readonly name: string }
  /** `within` is the file that doesn't have the name, if there is one. */
  | { readonly kind: "missing"; readonly reason: string; readonly within?: string };

type Space = "type" | "value";

/** The state of a search. It includes the visited names, because modules may re-export each other. */
interface Search {
  readonly space: Space;
  readonly modules: Modules;
  readonly seen: Set<string>;
  /** The number of files that are being searched. */
  depth: number;
}

/** Maximum number of files in a chain of re-exports. Each costs stack. */
const mostHops = 500;

/** Follows a target through imports and re-exports. `space` selects a type or a constant of the same name. */
export function resolveTarget(target: Target, space: Space, modules: Modules): Resolved {
  const search: Search = { space, modules, seen: new Set(), depth: 0 };
  switch (target.kind) {
    case "global":
    case "parameter":
      return target;
    case "local":
      return findLocal(target.file, target.name, search) ?? missing(target.name, target.file, target.file);
    case "import":
      return resolveImport(target.file, target.specifier, target.name, search);
  }
}

/** The runtime's modules are never read: their types are in tables. */
const runtime = /^@kubewright\/runtime(\/|$)/;

function resolveImport(from: string, specifier: string, name: string, search: Search): Resolved {
  const { modules } = search;
  const outside = !/^\.{0,2}\//.test(specifier) && !/^\.{1,2}$/.test(specifier);
  const target = { kind: "module", specifier, name } as const;
  if (outside && (runtime.test(specifier) || modules.isKnown(specifier, name))) return target;
  const path = modules.locate(from, specifier);
  const file = path === undefined ? undefined : modules.file(path);
  if (!file) return outside ? target : { kind: "missing", reason: `cannot find the module "${specifier}"` };
  if (search.depth >= mostHops)
    return { kind: "missing", reason: `it is re-exported through more than ${mostHops} files` };
  search.depth++;
  const exported = findExport(file, name, search);
  search.depth--;
  return exported ?? missing(name, specifier, file.path);
}

/** Finds a module's export, which may be in a namespace: `v1.Spec`. */
function findExport(file: SourceFile, name: string, search: Search): Resolved | undefined {
  if (!isNew(`${file.path}\0${name}`, search)) return undefined;
  return findOwn(file, name, search) ?? findInStars(file, name, search);
}

function isNew(key: string, { seen }: Search): boolean {
  return !seen.has(key) && Boolean(seen.add(key));
}

/** Finds an export without following `export *`. */
function findOwn(file: SourceFile, name: string, search: Search): Resolved | undefined {
  if (!isNew(`own\0${file.path}\0${name}`, search)) return undefined;
  const [head = "", ...inner] = name.split(".");
  const named = reExportNamed(file, head);
  const followed = named && followExport(file, named, inner, search);
  if (followed && followed.kind !== "missing") return followed;
  return findLocal(file.path, name, search) ?? findAssigned(file, head, inner, search);
}

function followExport(file: SourceFile, entry: ReExport, inner: readonly string[], search: Search): Resolved {
  const join = (first: string) => [...(first === "*" ? [] : [first]), ...inner].join(".");
  if (entry.specifier !== undefined) return resolveImport(file.path, entry.specifier, join(entry.name), search);
  if (entry.target?.kind === "import") {
    return resolveImport(file.path, entry.target.specifier, join(entry.target.name), search);
  }
  return findLocal(file.path, join(entry.name), search) ?? missing(entry.name, file.path, file.path);
}

/** Resolves `export =`, for the default import and for `import x = require(…)`, which also accepts an ES module as a whole. */
function findAssigned(file: SourceFile, head: string, inner: readonly string[], search: Search): Resolved | undefined {
  const assigned = reExportNamed(file, "export=");
  if (head !== "export=" && assigned)
    return followExport(file, assigned, head === "default" ? inner : [head, ...inner], search);
  return head === "export=" && inner.length > 0 ? findExport(file, inner.join("."), search) : undefined;
}

/** The results of following `export *` in a run's files. */
const starsOf = new WeakMap<Modules, Map<string, Stars>>();

function findInStars(file: SourceFile, name: string, search: Search): Resolved | undefined {
  if (name === "default") return undefined;
  const { modules } = search;
  const byFile = starsOf.get(modules) ?? new Map<string, Stars>();
  starsOf.set(modules, byFile);
  const stars = byFile.get(file.path) ?? createStars(file, modules);
  byFile.set(file.path, stars);
  for (const star of stars.having(name.split(".", 1)[0] ?? name)) {
    const resolved = "file" in star ? findOwn(star.file, name, search) : knownType(star.specifier, name, modules);
    if (resolved) return resolved;
  }
  return undefined;
}

function knownType(specifier: string, name: string, { isKnown }: Modules): Resolved | undefined {
  return isKnown(specifier, name) ? { kind: "module", specifier, name } : undefined;
}

function findLocal(path: string, name: string, { space, modules }: Search): Resolved | undefined {
  const file = modules.file(path);
  for (const declaration of file ? declarationsNamed(file, name) : []) {
    if (space === "type" && isType(declaration)) return identified(path, declaration, modules);
    if (space === "value" && declaration.kind === "value") return { kind: "value", declaration, file: path };
  }
  return undefined;
}

/** Libraries that generate their types from the Kubernetes API, with one file per type. */
const library =
  /[\\/]node_modules[\\/](@kubernetes[\\/]client-node|kubernetes-models|@kubernetes-models[\\/][^\\/]+)[\\/](.*)$/;

/** Returns the result for a declaration. A type in a library's own file may be a known type by the library's name for it. */
function identified(path: string, declaration: TypeDeclaration, modules: Modules): Resolved {
  const [, name, rest] = library.exec(path) ?? [];
  if (name !== undefined && rest !== undefined) {
    const own = name.replaceAll("\\", "/");
    const inner = rest.replaceAll("\\", "/").replace(/(\.d)?\.[mc]?ts$/, "");
    for (const specifier of [own, `${own}/${inner}`]) {
      if (modules.isKnown(specifier, declaration.name)) return { kind: "module", specifier, name: declaration.name };
    }
  }
  return { kind: "type", declaration, file: path };
}

/** Returns whether a declaration declares a type. */
export function isType(declaration: Declaration): declaration is TypeDeclaration {
  return declaration.kind !== "value" && declaration.kind !== "other";
}

/** Creates the result for a missing name. `where` is a specifier, or the path of the file itself. */
function missing(name: string, where: string, within: string): Resolved {
  const place = isAbsolute(where) ? basename(where) : where;
  return { kind: "missing", reason: `cannot find the type "${name}" in "${place}"`, within };
}
