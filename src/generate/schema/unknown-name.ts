import { dirname, relative, sep } from "node:path";
import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { RefType, SourceFile } from "../source/model.ts";
import { isType, type Resolved } from "../source/resolve.ts";
import type { Sources } from "../source/sources.ts";
import { coreModules, coreNamesOf } from "./core-type-identity.ts";
import { aliasRefs, scalarSchemas } from "./model/known-types.ts";

const runtimeApi = "@kubewright/runtime/api";
const ownNames = [...scalarSchemas.keys(), ...aliasRefs.keys(), "KubernetesObject", "KubernetesList"];

/** Suggests a fix for a name that can't be resolved: the missing import, or a similar name. */
export function fixHintForName({ target, at }: RefType, resolved: Resolved, sources: Sources): string | undefined {
  const name = target.name.split(".", 1)[0] ?? target.name;
  if (target.kind === "import") {
    if (resolved.kind === "module") return ofCoreModule(resolved.specifier, resolved.name);
    if (resolved.kind !== "missing") return undefined;
    const file = resolved.within === undefined ? undefined : sources.file(resolved.within);
    if (file) return inWords(target.name, namesOf(file));
    return 'use a path relative to this file, with its extension, such as "../v1/game-types.ts"';
  }
  if (target.kind !== "global") return undefined;
  const home = homeOf(name) ?? neighbour(name, at.file, sources);
  if (home !== undefined) return importOf(name, home);
  const here = sources.file(at.file);
  return nearest(name, [...(here ? declaredIn(here) : []), ...ownNames]) ?? "declare or import it";
}

/** Suggests a fix for a module of the runtime's API that doesn't have the name, or doesn't exist. */
function ofCoreModule(specifier: string, name: string): string | undefined {
  const names = specifier === runtimeApi ? ownNames : coreNamesOf(specifier);
  const near = nearest(name, names);
  if (near !== undefined) return near;
  const home = homeOf(name);
  if (home !== undefined) return importOf(name, home);
  return names.length > 0 ? undefined : nearest(specifier, [runtimeApi, ...coreModules]);
}

/** Returns the module of the runtime's API that has a type. */
function homeOf(name: string): string | undefined {
  return ownNames.includes(name) ? runtimeApi : coreModules.find((specifier) => coreNamesOf(specifier).includes(name));
}

/** Returns the import path of a file in the same directory that exports a type. */
function neighbour(name: string, from: string, sources: Sources): string | undefined {
  const file = sources
    .inDirectory(dirname(from))
    .find(({ declarations }) => declarations.some((declaration) => declaration.exported && declaration.name === name));
  return file && `./${relative(dirname(from), file.path).replaceAll(sep, "/")}`;
}

function importOf(name: string, specifier: string): string {
  return `add \`import type { ${name} } from "${specifier}";\``;
}

function declaredIn({ declarations }: SourceFile): string[] {
  return declarations.filter(isType).map((declaration) => declaration.name);
}

function namesOf({ declarations, reExports }: SourceFile): string[] {
  const exported = declarations
    .filter((declaration) => declaration.exported && isType(declaration))
    .map((declaration) => declaration.name);
  return [...exported, ...reExports.map((reExport) => reExport.exported)].filter((name) => /^[\w$]+$/.test(name));
}

function nearest(name: string, names: readonly string[]): string | undefined {
  const near = didYouMean(name, names);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** Suggests a similar name, or lists all names. */
function inWords(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near !== undefined) return near;
  if (names.length === 0) return "it exports no types: add `export` to the declaration";
  return `it exports ${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}`;
}
