import { dirname } from "node:path";
import type { TypeNode } from "../packages/nodes.ts";
import type { RefType, TypeDeclaration, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";

const runtimeModules = /^@kubewright\/runtime(\/api(\/meta\/v1)?)?$/;

/** Whether a type is a kind: it extends `KubernetesObject` or intersects it, or is another name for a kind elsewhere. */
export function isKind(node: TypeNode, sources: Sources): boolean {
  const { declaration, file } = node;
  if (declaration.kind === "class" || declaration.kind === "enum" || declaration.parameters.length > 0) return false;
  if (declaration.kind === "alias" && declaration.type.kind === "ref") {
    const found = sources.resolve(declaration.type.target);
    // Another name in the same package would only be a second CRD of the same thing.
    if (found.kind !== "type" || dirname(found.file) === dirname(file)) return false;
  }
  return isObject(declaration, sources, new Set());
}

/** Whether a type is a list of a kind. */
export function isKindList(node: TypeNode, sources: Sources): boolean {
  return parents(node.declaration).some((parent) => runtimeNameOf(parent, sources) === "KubernetesList");
}

function isObject(declaration: TypeDeclaration, sources: Sources, seen: Set<TypeDeclaration>): boolean {
  if (seen.has(declaration) || declaration.kind === "class") return false;
  seen.add(declaration);
  return parents(declaration).some((parent) => {
    const name = runtimeNameOf(parent, sources);
    // `type X = KubernetesObject` has nothing of its own.
    if (name !== undefined) return name === "KubernetesObject" && parent !== aliased(declaration);
    const found = sources.resolve(parent.target);
    return found.kind === "type" && isObject(found.declaration, sources, seen);
  });
}

function aliased(declaration: TypeDeclaration): TypeExpr | undefined {
  return declaration.kind === "alias" ? declaration.type : undefined;
}

function parents(declaration: TypeDeclaration): RefType[] {
  if (declaration.kind === "enum") return [];
  const types =
    declaration.kind !== "alias"
      ? declaration.extends
      : declaration.type.kind === "intersection"
        ? declaration.type.types
        : [declaration.type];
  return types.filter((type) => type.kind === "ref");
}

function runtimeNameOf(type: RefType, sources: Sources): string | undefined {
  const found = sources.resolve(type.target);
  return found.kind === "module" && runtimeModules.test(found.specifier) ? found.name : undefined;
}
