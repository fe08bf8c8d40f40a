import type { Packages } from "../packages/collect.ts";
import type { FieldNode } from "../packages/nodes.ts";
import type { TypeDeclaration, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";

/** The declarations of the fields of a type, by name. */
export type FieldNodes = ReadonlyMap<string, FieldNode>;

/**
 * Finds the declarations of the fields of a type: its own, those of the types that it extends, and those of the arguments of
 * utility types such as `Omit`. Schemas decide which of them exist.
 */
export function fieldNodesOf(
  start: TypeDeclaration | TypeExpr | undefined,
  { packages, sources }: { readonly packages: Packages; readonly sources: Sources },
): FieldNodes {
  const nodes = new Map<string, FieldNode>();
  const visited = new Set<unknown>();
  const queue: (TypeDeclaration | TypeExpr)[] = start === undefined ? [] : [start];
  // Breadth first: a type's own fields precede those of its parents.
  for (const current of queue) {
    if (visited.has(current)) continue;
    visited.add(current);
    switch (current.kind) {
      case "interface":
      case "class":
      case "object":
        for (const field of packages.fields(current.members)) if (!nodes.has(field.name)) nodes.set(field.name, field);
        if (current.kind !== "object") queue.push(...current.extends);
        break;
      case "alias":
        queue.push(current.type);
        break;
      case "union":
      case "intersection":
        queue.push(...current.types);
        break;
      case "ref": {
        const resolved = sources.resolve(current.target);
        if (resolved.kind === "type") queue.push(resolved.declaration);
        queue.push(...current.args);
        break;
      }
      default:
    }
  }
  return nodes;
}

/** Returns the type of the items of a list, or of the values of a map. */
export function elementOf(expr: TypeExpr | undefined): TypeExpr | undefined {
  if (expr?.kind === "array") return expr.element;
  if (expr?.kind === "object") return expr.index?.value;
  if (expr?.kind === "ref" && ["Array", "ReadonlyArray", "Record"].includes(expr.text)) return expr.args.at(-1);
  if (expr?.kind === "union") {
    const rest = expr.types.filter((type) => !isNothing(type));
    return rest.length === 1 ? elementOf(rest[0]) : undefined;
  }
  return undefined;
}

/** Returns whether a type is `null` or `undefined`. */
export function isNothing(type: TypeExpr): boolean {
  return (type.kind === "literal" && type.value === null) || (type.kind === "keyword" && type.name === "undefined");
}
