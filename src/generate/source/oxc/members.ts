import type {
  ClassElement,
  Decorator,
  PropertyKey,
  Span,
  TSIndexSignature,
  TSParameterProperty,
  TSSignature,
  TSType,
} from "oxc-parser";
import { accessorType, methodType } from "../methods.ts";
import type { IndexSignature, Member, Position, TypeExpr } from "../model.ts";
import { leadingComments, positionOf, textOf, trailingComments } from "./positions.ts";
import type { TypeScope } from "./scope.ts";
import { checkMember } from "./strict.ts";

type MemberNode = TSSignature | ClassElement;

/** Reads a type. Passed as an argument, because types contain members and members contain types. */
type ReadType = (scope: TypeScope, node: TSType) => TypeExpr;

/** Reads the members of an interface, an inline object or a class. */
export function readMembers(
  scope: TypeScope,
  nodes: readonly MemberNode[],
  readType: ReadType,
): { members: readonly Member[]; index?: IndexSignature } {
  const members: Member[] = [];
  let index: IndexSignature | undefined;
  for (const node of nodes) {
    if (node.type === "TSIndexSignature") index = readIndex(scope, node, readType) ?? index;
    else members.push(readMember(scope, node, readType), ...parameterProperties(scope, node, readType));
  }
  return { members: Object.freeze(members), ...(index ? { index } : {}) };
}

function readIndex(scope: TypeScope, node: TSIndexSignature, readType: ReadType): IndexSignature | undefined {
  const key = node.parameters[0]?.typeAnnotation?.typeAnnotation;
  if (!key) return undefined;
  return Object.freeze({ key: readType(scope, key), value: readType(scope, node.typeAnnotation.typeAnnotation) });
}

function readMember(scope: TypeScope, node: Exclude<MemberNode, TSIndexSignature>, readType: ReadType): Member {
  const start = startOf(node);
  const written = propertyType(node);
  if ("key" in node) checkMember(scope, node, node.key, written !== null);
  const at = positionOf(scope, start);
  const type = written ? readType(scope, written) : signatureType(node, at);
  const signature = node.type === "TSCallSignatureDeclaration" || node.type === "TSConstructSignatureDeclaration";
  const { name, computed } = nameOf(scope, node);
  return Object.freeze({
    name,
    optional: "optional" in node && node.optional === true,
    ...(type ? { type } : {}),
    method: (written === undefined && !type) || isHidden(node),
    ...(signature ? { signature } : {}),
    ...(computed ? { computed } : {}),
    leading: leadingComments(scope, start),
    ...trailingComments(scope, node.end),
    at,
  });
}

/** Returns the type of a method, getter or setter that isn't in a class. */
function signatureType(node: MemberNode, at: Position): TypeExpr | undefined {
  if (node.type !== "TSMethodSignature") return undefined;
  return node.kind === "method" ? methodType(at) : accessorType(at);
}

/** Returns the properties that a constructor declares as parameters. */
function parameterProperties(scope: TypeScope, node: MemberNode, readType: ReadType): Member[] {
  if (node.type !== "MethodDefinition" || node.kind !== "constructor") return [];
  return node.value.params.flatMap((parameter) => {
    if (parameter.type !== "TSParameterProperty") return [];
    const inner = parameter.parameter;
    const binding = inner.type === "AssignmentPattern" ? inner.left : inner;
    const start = startOf(parameter);
    if (binding.type !== "Identifier") scope.unsettled("a property without a name");
    const type = binding.typeAnnotation?.typeAnnotation;
    return Object.freeze({
      name: binding.type === "Identifier" ? binding.name : "",
      optional: Boolean((binding as { readonly optional?: boolean }).optional),
      ...(type ? { type: readType(scope, type) } : {}),
      method: isHidden(parameter),
      leading: leadingComments(scope, start, true),
      at: positionOf(scope, start),
    });
  });
}

/** Returns the type of a property, null if it has no annotation; undefined for anything else. */
function propertyType(node: Exclude<MemberNode, TSIndexSignature>): TSType | null | undefined {
  switch (node.type) {
    case "TSPropertySignature":
    case "PropertyDefinition":
    case "TSAbstractPropertyDefinition":
    case "AccessorProperty":
    case "TSAbstractAccessorProperty":
      return node.typeAnnotation?.typeAnnotation ?? null;
    default:
      return undefined;
  }
}

/** Returns whether a member is static, private or protected, and so isn't part of the data. */
function isHidden(node: MemberNode | TSParameterProperty): boolean {
  const apart = "accessibility" in node && (node.accessibility === "private" || node.accessibility === "protected");
  if ("key" in node && node.key?.type === "PrivateIdentifier") return true;
  return apart || ("static" in node && node.static === true);
}

type Name = Pick<Member, "name" | "computed">;

function nameOf(scope: TypeScope, node: Exclude<MemberNode, TSIndexSignature>): Name {
  if (!("key" in node) || (node.type === "MethodDefinition" && node.kind === "constructor")) return { name: "" };
  if (node.computed) return computedName(scope, node.key);
  if (node.key.type === "Identifier") return { name: node.key.name };
  if (node.key.type === "Literal" && typeof node.key.value !== "bigint") return { name: String(node.key.value) };
  return { name: textOf(scope, node.key) };
}

/** Returns the name of a computed key: `a` for `["a"]`; any other expression as written, with its brackets. */
function computedName(scope: TypeScope, key: PropertyKey): Name {
  if (key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number")) {
    return { name: String(key.value) };
  }
  if (key.type === "TemplateLiteral" && key.expressions.length === 0) {
    return { name: key.quasis[0]?.value.cooked ?? "" };
  }
  const open = scope.text.slice(0, key.start).trimEnd();
  const close = scope.text.slice(key.end);
  const end = close.length - close.trimStart().length;
  if (!open.endsWith("[") || close[end] !== "]") scope.unsettled("a comment in a computed name");
  return { name: scope.text.slice(open.length - 1, key.end + end + 1), computed: true };
}

/** Returns the start of a declaration, including decorators before `export`, which aren't in its span. */
export function startOf(node: Span & { decorators?: readonly Decorator[] }): number {
  return Math.min(node.start, node.decorators?.[0]?.start ?? node.start);
}

/**
 * Returns whether a class contains a semicolon of its own. TypeScript treats it as a member, which may have comments; this
 * parser ignores it.
 */
export function hasStraySemicolon(text: string, body: Span & { body: readonly Span[] }): boolean {
  let end = body.start + 1;
  for (const { start, end: next } of [...body.body, { start: body.end - 1, end: body.end }]) {
    const gap = text.slice(end, start);
    if (gap.includes(";") && gap.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g, "").includes(";")) return true;
    end = next;
  }
  return false;
}
