// Types are read from the compiler's nodes: wrapping each of them would add 5 % to the CPU time of a run for the types of
// crossplane (4,300 nodes, Node 20).

import { ts } from "ts-morph";
import { accessorType, methodType } from "../methods.ts";
import type { IndexSignature, KeywordName, Member, Position, TypeExpr } from "../model.ts";
import { type FileNames, targetOf as findTarget } from "../names.ts";
import { type TupleElement, tupleOf } from "../tuple.ts";
import { targetOf } from "./names.ts";
import { leadingComments, parameterComments, type ReadContext, startOf, trailingComments } from "./positions.ts";

/** The scope of a type: its file's names and the type parameters in scope. */
export interface TypeScope extends ReadContext {
  readonly names: FileNames;
  readonly parameters: ReadonlySet<string>;
}

/** Adds type parameters to a scope. */
export function withParameters(scope: TypeScope, added: readonly string[]): TypeScope {
  return added.length === 0 ? scope : { ...scope, parameters: new Set([...scope.parameters, ...added]) };
}

/** Reads a type expression. */
export function readType(scope: TypeScope, node: ts.TypeNode): TypeExpr {
  return Object.freeze(convert(scope, node));
}

function convert(scope: TypeScope, node: ts.TypeNode): TypeExpr {
  const at = startOf(scope, node);
  const keyword = keywords.get(node.kind);
  if (keyword) return { kind: "keyword", name: keyword, at };
  if (ts.isParenthesizedTypeNode(node)) return convert(scope, node.type);
  if (ts.isLiteralTypeNode(node)) return literal(scope, node);
  if (ts.isArrayTypeNode(node)) return { kind: "array", element: readType(scope, node.elementType), at };
  if (ts.isTypeOperatorNode(node)) {
    if (node.operator === ts.SyntaxKind.ReadonlyKeyword) return convert(scope, node.type);
    if (node.operator === ts.SyntaxKind.KeyOfKeyword) return { kind: "keyof", type: readType(scope, node.type), at };
  }
  if (ts.isTupleTypeNode(node)) {
    const elements = node.elements.map((element) => tupleElement(scope, element));
    return tupleOf(elements, at);
  }
  if (ts.isUnionTypeNode(node)) return { kind: "union", types: unionMembers(scope, node), at };
  if (ts.isIntersectionTypeNode(node)) {
    return { kind: "intersection", types: node.types.map((t) => readType(scope, t)), at };
  }
  if (ts.isTypeReferenceNode(node)) return reference(scope, node.typeName, node.typeArguments, node);
  if (ts.isExpressionWithTypeArguments(node)) return heritage(scope, node);
  if (ts.isTypeLiteralNode(node)) return { kind: "object", ...readMembers(scope, node.members), at };
  if (ts.isIndexedAccessTypeNode(node)) {
    return { kind: "indexed", object: readType(scope, node.objectType), index: readType(scope, node.indexType), at };
  }
  if (ts.isTypeQueryNode(node)) {
    const target = targetOf(scope, scope.names, node.exprName, new Set());
    return { kind: "typeof", text: node.exprName.getText(scope.file), target, at };
  }
  if (ts.isMappedTypeNode(node)) return mapped(scope, node);
  if (ts.isTemplateLiteralTypeNode(node)) {
    return {
      kind: "template",
      texts: [node.head.text, ...node.templateSpans.map((span) => span.literal.text)],
      types: node.templateSpans.map((span) => readType(scope, span.type)),
      at,
    };
  }
  if (ts.isImportTypeNode(node)) return importType(scope, node);
  return other(scope, node);
}

/** Reads the members of a union. The comments of a value can be before or after its `|`. */
function unionMembers(scope: TypeScope, { types }: ts.UnionTypeNode): TypeExpr[] {
  return types.map((node, index) => {
    const expr = readType(scope, node);
    if (expr.kind !== "literal") return expr;
    const bar = index === 0 ? types.pos : types[index - 1]!.end;
    const starts = new Set([bar, node.getFullStart()]);
    const leading = [...starts].flatMap((start) => leadingComments(scope, start));
    const comments = { ...(leading.length === 0 ? {} : { leading }), ...trailingComments(scope, node.end) };
    return Object.keys(comments).length === 0 ? expr : Object.freeze({ ...expr, ...comments });
  });
}

function tupleElement(scope: TypeScope, node: ts.TypeNode | ts.NamedTupleMember): TupleElement {
  const optional = ts.isOptionalTypeNode(node) || (ts.isNamedTupleMember(node) && node.questionToken !== undefined);
  if (optional) return { type: readType(scope, node.type), mode: "optional" };
  const rest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken !== undefined);
  if (rest && ts.isArrayTypeNode(node.type)) return { type: readType(scope, node.type.elementType), mode: "rest" };
  if (rest) return { type: Object.freeze(other(scope, node)), mode: "required" };
  return { type: readType(scope, ts.isNamedTupleMember(node) ? node.type : node), mode: "required" };
}

const keywords: ReadonlyMap<ts.SyntaxKind, KeywordName> = new Map([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
  [ts.SyntaxKind.AnyKeyword, "any"],
  [ts.SyntaxKind.UnknownKeyword, "unknown"],
  [ts.SyntaxKind.ObjectKeyword, "object"],
  [ts.SyntaxKind.UndefinedKeyword, "undefined"],
  [ts.SyntaxKind.NeverKeyword, "never"],
  [ts.SyntaxKind.VoidKeyword, "void"],
  [ts.SyntaxKind.BigIntKeyword, "bigint"],
  [ts.SyntaxKind.SymbolKeyword, "symbol"],
]);

function literal(scope: TypeScope, node: ts.LiteralTypeNode): TypeExpr {
  const at = startOf(scope, node);
  const value = node.literal;
  if (value.kind === ts.SyntaxKind.NullKeyword) return { kind: "literal", value: null, at };
  if (value.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true, at };
  if (value.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false, at };
  if (ts.isStringLiteral(value) || ts.isNoSubstitutionTemplateLiteral(value)) {
    return { kind: "literal", value: value.text, at };
  }
  if (ts.isNumericLiteral(value)) return { kind: "literal", value: Number(value.text), at };
  if (ts.isPrefixUnaryExpression(value) && ts.isNumericLiteral(value.operand)) {
    const minus = value.operator === ts.SyntaxKind.MinusToken;
    return { kind: "literal", value: (minus ? -1 : 1) * Number(value.operand.text), at };
  }
  return other(scope, node);
}

function reference(
  scope: TypeScope,
  name: ts.EntityName,
  args: readonly ts.TypeNode[] | undefined,
  node: ts.Node,
): TypeExpr {
  return {
    kind: "ref",
    text: name.getText(scope.file),
    target: targetOf(scope, scope.names, name, scope.parameters),
    args: (args ?? []).map((arg) => readType(scope, arg)),
    at: startOf(scope, node),
  };
}

/** Reads a clause such as `extends core.Base<T>`, which is an expression for the compiler. */
function heritage(scope: TypeScope, node: ts.ExpressionWithTypeArguments): TypeExpr {
  const parts = accessedNames(node.expression);
  if (!parts) return other(scope, node);
  const text = node.expression.getText(scope.file);
  return {
    kind: "ref",
    text,
    target: findTarget(scope.path, scope.names, { parts, text }, scope.parameters),
    args: (node.typeArguments ?? []).map((arg) => readType(scope, arg)),
    at: startOf(scope, node),
  };
}

function accessedNames(node: ts.Expression): string[] | undefined {
  if (ts.isIdentifier(node)) return [node.text];
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.name) || node.questionDotToken) return undefined;
  const before = accessedNames(node.expression);
  return before && [...before, node.name.text];
}

function mapped(scope: TypeScope, node: ts.MappedTypeNode): TypeExpr {
  const constraint = node.typeParameter.constraint;
  if (!constraint || !node.type) return other(scope, node);
  const parameter = node.typeParameter.name.text;
  const inner = withParameters(scope, [parameter]);
  const question = node.questionToken?.kind;
  const optional = !question ? undefined : question === ts.SyntaxKind.MinusToken ? "-" : "+";
  return {
    kind: "mapped",
    parameter,
    constraint: readType(scope, constraint),
    ...(node.nameType ? { name: readType(inner, node.nameType) } : {}),
    type: readType(inner, node.type),
    ...(optional ? { optional } : {}),
    at: startOf(scope, node),
  };
}

function importType(scope: TypeScope, node: ts.ImportTypeNode): TypeExpr {
  const specifier =
    ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)
      ? node.argument.literal.text
      : undefined;
  const name = node.qualifier?.getText(scope.file).replace(/\s/g, "");
  if (specifier === undefined || node.isTypeOf || name === undefined) return other(scope, node);
  return {
    kind: "ref",
    text: node.getText(scope.file),
    target: { kind: "import", file: scope.path, specifier, name },
    args: (node.typeArguments ?? []).map((arg) => readType(scope, arg)),
    at: startOf(scope, node),
  };
}

function other(scope: TypeScope, node: ts.Node): TypeExpr {
  const isFunction = ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node);
  const syntax = isFunction ? "function" : ts.isConditionalTypeNode(node) ? "conditional" : "other";
  return { kind: "other", syntax, text: node.getText(scope.file), at: startOf(scope, node) };
}

/** Reads the members of an interface, an inline object or a class. */
export function readMembers(
  scope: TypeScope,
  nodes: readonly (ts.TypeElement | ts.ClassElement)[],
  ofClass = false,
): { members: readonly Member[]; index?: IndexSignature } {
  const members: Member[] = [];
  let index: IndexSignature | undefined;
  for (const node of nodes) {
    if (ts.isIndexSignatureDeclaration(node)) {
      const key = node.parameters[0]?.type;
      if (key) index = Object.freeze({ key: readType(scope, key), value: indexValue(scope, node) });
      continue;
    }
    members.push(readMember(scope, node, ofClass));
    if (!ts.isConstructorDeclaration(node)) continue;
    for (const parameter of node.parameters) {
      if (ts.isParameterPropertyDeclaration(parameter, node)) members.push(readMember(scope, parameter, true));
    }
  }
  return { members: Object.freeze(members), ...(index ? { index } : {}) };
}

/** Returns the type of an index signature. If it is missing, it is `any`, as for the compiler. */
function indexValue(scope: TypeScope, node: ts.IndexSignatureDeclaration): TypeExpr {
  const type = node.type as ts.TypeNode | undefined;
  return type ? readType(scope, type) : Object.freeze({ kind: "keyword", name: "any", at: startOf(scope, node) });
}

function readMember(
  scope: TypeScope,
  node: ts.TypeElement | ts.ClassElement | ts.ParameterPropertyDeclaration,
  ofClass: boolean,
): Member {
  const property = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node);
  const name = node.name && !ts.isObjectBindingPattern(node.name) ? memberName(node.name) : undefined;
  const apart = node.name !== undefined && ts.isPrivateIdentifier(node.name);
  const hidden = apart || (ts.canHaveModifiers(node) && isHidden(node));
  const at = startOf(scope, node);
  const declared = ofClass ? undefined : signatureType(node, at);
  const type = property && node.type ? readType(scope, node.type) : declared;
  const signature = ts.isCallSignatureDeclaration(node) || ts.isConstructSignatureDeclaration(node);
  return Object.freeze({
    name: name ?? node.name?.getText(scope.file) ?? "",
    optional: Boolean("questionToken" in node && node.questionToken),
    ...(type ? { type } : {}),
    method: (!property && !type) || hidden,
    ...(signature ? { signature } : {}),
    ...(node.name && ts.isComputedPropertyName(node.name) && name === undefined ? { computed: true as const } : {}),
    leading: (ts.isParameter(node) ? parameterComments : leadingComments)(scope, node.getFullStart()),
    ...(ts.isParameter(node) ? {} : trailingComments(scope, node.getEnd())),
    at,
  });
}

/** Returns the type of a method, getter or setter that isn't in a class. */
function signatureType(node: ts.Node, at: Position): TypeExpr | undefined {
  if (ts.isMethodSignature(node)) return methodType(at);
  return ts.isAccessor(node) ? accessorType(at) : undefined;
}

/** Returns whether a member is static, private or protected, and so isn't part of the data. */
function isHidden(node: ts.HasModifiers): boolean {
  const k = ts.SyntaxKind;
  return Boolean(
    node.modifiers?.some((m) =>
      [k.StaticKeyword, k.PrivateKeyword, k.ProtectedKeyword].some((kind) => m.kind === kind),
    ),
  );
}

function memberName(name: ts.PropertyName): string | undefined {
  const written = ts.isComputedPropertyName(name) ? name.expression : name;
  if (ts.isIdentifier(written)) return written === name ? written.text : undefined;
  return ts.isStringLiteralLike(written) || ts.isNumericLiteral(written) ? written.text : undefined;
}
