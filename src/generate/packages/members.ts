import type { Member, TypeDeclaration, TypeExpr } from "../source/model.ts";

/**
 * Lists the members of a type, with those of inline objects.
 *
 * @returns properties, methods and signatures, outer ones first
 */
export function allMembers(declaration: TypeDeclaration): readonly Member[] {
  if (declaration.kind === "enum") return [];
  if (declaration.kind === "alias") return inside(declaration.type);
  return [...withInner(declaration.members), ...(declaration.index ? inside(declaration.index.value) : [])];
}

/** Returns whether a member is a property with a type. */
export function isProperty(member: Member): member is Member & { readonly type: TypeExpr } {
  return !member.method && member.type !== undefined;
}

function withInner(members: readonly Member[]): Member[] {
  return members.flatMap((member) => [member, ...(isProperty(member) ? inside(member.type) : [])]);
}

function inside(type: TypeExpr): Member[] {
  switch (type.kind) {
    case "object":
      return [...withInner(type.members), ...(type.index ? inside(type.index.value) : [])];
    case "array":
      return inside(type.element);
    case "tuple":
      return type.elements.flatMap(inside);
    case "union":
    case "intersection":
      return type.types.flatMap(inside);
    case "ref":
      return type.args.flatMap(inside);
    default:
      return [];
  }
}
