import { dirname } from "node:path";
import type { TypeNode } from "../packages/nodes.ts";
import { runtimeName } from "../schema/builder.ts";
import type { RefType, TypeDeclaration, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";

/** Returns whether a type is a kind: it extends `KubernetesObject`, intersects it, or aliases a kind of another package. */
export function isKind({ declaration, file }: TypeNode, sources: Sources): boolean {
  if (declaration.kind === "class" || declaration.kind === "enum" || declaration.parameters.length > 0) return false;
  // Types in a namespace are parts of something else.
  if (declaration.name.includes(".")) return false;
  return (
    !(declaration.kind === "alias" && isOnlyAName(declaration.type, file, sources)) && isObject(declaration, sources)
  );
}

/**
 * Returns whether an alias doesn't declare a kind of its own. An alias of a type in the same package would only duplicate
 * its CRD, and a variation such as `Partial<Game>` isn't a kind. A generic type without arguments isn't a kind.
 */
function isOnlyAName(type: TypeExpr, file: string, sources: Sources): boolean {
  if (type.kind !== "ref") return false;
  const resolved = sources.resolve(type.target);
  if (resolved.kind !== "type") return true;
  const generic = "parameters" in resolved.declaration && resolved.declaration.parameters.length > 0;
  return dirname(resolved.file) === dirname(file) && !generic;
}

/** Returns a parent that can't be resolved or isn't imported, so that the type may or may not be a kind. */
export function unknownParent(
  { declaration }: TypeNode,
  sources: Sources,
): { parent: RefType; reason: string } | undefined {
  if (declaration.kind === "class") return undefined;
  for (const parent of parents(declaration)) {
    const resolved = sources.resolve(parent.target);
    if (resolved.kind === "missing" && declaration.kind === "interface") return { parent, reason: resolved.reason };
    if (resolved.kind === "global" && resolved.name === "KubernetesObject")
      return { parent, reason: "it is not imported" };
  }
  return undefined;
}

/** Returns whether a type is the list type of a kind. */
export function isKindList(node: TypeNode, sources: Sources): boolean {
  return parents(node.declaration).some((parent) => runtimeName(parent, sources) === "KubernetesList");
}

/** Caches the results per run: otherwise each type would follow the chain of all its parents. */
const cache = new WeakMap<Sources, Map<TypeDeclaration, boolean>>();

/**
 * Returns whether a type extends `KubernetesObject`, directly or not. Iterative, because the chain of parents may be
 * thousands of types long.
 */
function isObject(start: TypeDeclaration, sources: Sources): boolean {
  const results = cache.get(sources) ?? new Map<TypeDeclaration, boolean>();
  cache.set(sources, results);
  const path: { readonly declaration: TypeDeclaration; readonly rest: RefType[] }[] = [];
  const enter = (declaration: TypeDeclaration) => {
    // A cycle alone doesn't make a type an object.
    results.set(declaration, false);
    path.push({ declaration, rest: declaration.kind === "class" ? [] : parents(declaration).reverse() });
  };
  if (!results.has(start)) enter(start);
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const parent = top.rest.pop();
    if (!parent) {
      path.pop();
      continue;
    }
    const name = runtimeName(parent, sources);
    const resolved = name === undefined ? sources.resolve(parent.target) : undefined;
    const next = resolved?.kind === "type" ? resolved.declaration : undefined;
    // `type X = KubernetesObject` has no content of its own.
    const isOne = name === "KubernetesObject" && parent !== aliased(top.declaration);
    if (isOne || (next && results.get(next) === true)) {
      for (const { declaration } of path) results.set(declaration, true);
      break;
    }
    if (next && !results.has(next)) enter(next);
  }
  return results.get(start) === true;
}

function aliased(declaration: TypeDeclaration): TypeExpr | undefined {
  return declaration.kind === "alias" ? declaration.type : undefined;
}

function parents(declaration: TypeDeclaration): RefType[] {
  if (declaration.kind === "enum") return [];
  if (declaration.kind !== "alias") return declaration.extends.flatMap(withMetadata);
  const { type } = declaration;
  return (type.kind === "intersection" ? type.types : [type]).flatMap(withMetadata);
}

/** Returns the types that a parent takes its metadata from: `Omit<Game, "spec">` takes it from Game. */
function withMetadata(type: TypeExpr): RefType[] {
  if (type.kind === "intersection") return type.types.flatMap(withMetadata);
  if (type.kind !== "ref") return [];
  const [first, names] = type.args;
  if (type.target.kind !== "global" || !first) return [type];
  if (["Readonly", "Required"].includes(type.text)) return withMetadata(first);
  const taken = type.text === "Omit" && names ? !namesIn(names).includes("metadata") : false;
  const picked = type.text === "Pick" && names ? namesIn(names).includes("metadata") : false;
  return taken || picked ? withMetadata(first) : [];
}

function namesIn(type: TypeExpr): unknown[] {
  if (type.kind === "union") return type.types.flatMap(namesIn);
  return type.kind === "literal" ? [type.value] : [];
}
