import type { ts } from "ts-morph";
import type { Augmentation, ConstValue, Declaration, TypeExpr, TypeParameter } from "../model.ts";
import { qualified } from "../names.ts";
import { collectNames, namespaceIn, targetOf } from "./names.ts";
import { commentsBetween, commentsInside, leadingComments, startOf, trailingComments } from "./positions.ts";
import { readMembers, readType, type TypeScope, withParameters } from "./types.ts";

/** Reads a top-level statement; returns nothing for imports, exports and similar statements. */
export function readDeclarations(scope: TypeScope, node: ts.Statement): Declaration[] {
  const { ts } = scope;
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) return [interfaceLike(scope, node)];
  if (ts.isTypeAliasDeclaration(node)) {
    const { inner, parameters } = typeParameters(scope, node.typeParameters);
    return [{ kind: "alias", ...base(scope, node, node.name.text), parameters, type: readType(inner, node.type) }];
  }
  if (ts.isEnumDeclaration(node)) return [enumeration(scope, node)];
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.map((declaration) => ({
      kind: "value",
      ...base(scope, node, ts.isIdentifier(declaration.name) ? declaration.name.text : ""),
      value: declaration.initializer ? constant(scope, declaration.initializer) : { kind: "unknown" },
    }));
  }
  if (ts.isFunctionDeclaration(node) || ts.isModuleDeclaration(node)) {
    const name = node.name?.getText(scope.file) ?? "";
    return [{ kind: "other", ...base(scope, node, name) }, ...inNamespace(scope, node)];
  }
  if (ts.isImportEqualsDeclaration(node) && !ts.isExternalModuleReference(node.moduleReference)) {
    const name = node.moduleReference;
    const type: TypeExpr = {
      kind: "ref",
      text: name.getText(scope.file),
      target: targetOf(scope, scope.names, name, new Set()),
      args: [],
      at: startOf(scope, name),
    };
    return [{ kind: "alias", ...base(scope, node, node.name.text), parameters: [], type: Object.freeze(type) }];
  }
  return [];
}

function inNamespace(scope: TypeScope, node: ts.Statement): Declaration[] {
  const inner = namespaceIn(scope.ts, node);
  if (!inner) return [];
  const namespace = [scope.names.namespace, ...inner.names].filter((name) => name !== "").join(".");
  const within = { ...scope, names: { ...scope.names, namespace } };
  return inner.statements.flatMap((statement) => readDeclarations(within, statement));
}

/** Reads `declare module "…" { … }`. The declarations belong to that module, and can be referred to by name inside it. */
export function readAugmentations(scope: TypeScope, node: ts.Statement): Augmentation[] {
  const { ts } = scope;
  if (!ts.isModuleDeclaration(node) || !ts.isStringLiteral(node.name) || !node.body || !ts.isModuleBlock(node.body)) {
    return [];
  }
  const specifier = node.name.text;
  const { statements } = node.body;
  const { locals } = collectNames({ ts, file: { statements } });
  const own = [...locals].map((name) => [name, { specifier, name }] as const);
  const within = { ...scope, names: { ...scope.names, imports: new Map([...scope.names.imports, ...own]) } };
  const declarations = statements.flatMap((each) => readDeclarations(within, each));
  return [{ specifier, declarations: declarations.map((each) => Object.freeze({ ...each, exported: true })) }];
}

function base(scope: TypeScope, node: ts.Statement, name: string) {
  const { ts } = scope;
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  const { namespace } = scope.names;
  return {
    name: qualified(namespace, name),
    exported: namespace === "" && Boolean(modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword)),
    leading: leadingComments(scope, node.getFullStart()),
    ...trailingComments(scope, node.getEnd()),
    at: startOf(scope, node),
  };
}

function typeParameters(scope: TypeScope, nodes: readonly ts.TypeParameterDeclaration[] | undefined) {
  const inner = withParameters(
    scope,
    (nodes ?? []).map((node) => node.name.text),
  );
  const parameters: TypeParameter[] = (nodes ?? []).map((node) => ({
    name: node.name.text,
    ...(node.default ? { default: readType(inner, node.default) } : {}),
  }));
  return { inner, parameters };
}

function interfaceLike(scope: TypeScope, node: ts.InterfaceDeclaration | ts.ClassDeclaration): Declaration {
  const { ts } = scope;
  const { inner, parameters } = typeParameters(scope, node.typeParameters);
  const parents = (node.heritageClauses ?? [])
    .filter((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap((clause) => clause.types.map((type) => readType(inner, type)));
  return {
    kind: ts.isClassDeclaration(node) ? "class" : "interface",
    ...base(scope, node, node.name?.text ?? "default"),
    ...commentsInside(scope, node.members),
    parameters,
    extends: parents,
    ...readMembers(inner, node.members, ts.isClassDeclaration(node)),
  };
}

function enumeration(scope: TypeScope, node: ts.EnumDeclaration): Declaration {
  let next: number | undefined = 0;
  const members = node.members.map((member) => {
    const initial: ConstValue | undefined = member.initializer && constant(scope, member.initializer);
    const given = initial?.kind === "literal" ? initial.value : undefined;
    const value = initial ? given : next;
    next = typeof value === "number" ? value + 1 : undefined;
    const usable = typeof value === "string" || typeof value === "number";
    return { name: member.name.getText(scope.file).replace(/^["']|["']$/g, ""), ...(usable ? { value } : {}) };
  });
  return { kind: "enum", ...base(scope, node, node.name.text), ...commentsBetween(scope, node.members), members };
}

/** Reads the constant parts of an expression. */
function constant(scope: TypeScope, node: ts.Expression): ConstValue {
  const { ts } = scope;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) {
    return constant(scope, node.expression);
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return { kind: "literal", value: node.text };
  if (ts.isNumericLiteral(node)) return { kind: "literal", value: Number(node.text) };
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const inner = constant(scope, node.operand);
    if (inner.kind === "literal" && typeof inner.value === "number") return { kind: "literal", value: -inner.value };
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: "literal", value: null };
  if (ts.isArrayLiteralExpression(node)) {
    return { kind: "array", elements: node.elements.map((element) => constant(scope, element)) };
  }
  if (ts.isObjectLiteralExpression(node)) return objectConstant(scope, node);
  if (ts.isIdentifier(node)) return { kind: "reference", target: targetOf(scope, scope.names, node, new Set()) };
  if (ts.isCallExpression(node)) return call(scope, node);
  return { kind: "unknown" };
}

function objectConstant(scope: TypeScope, node: ts.ObjectLiteralExpression): ConstValue {
  const { ts } = scope;
  const properties = node.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property)) return [];
    const name = property.name;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name) && !ts.isNumericLiteral(name)) return [];
    return [{ name: name.text, value: constant(scope, property.initializer) }];
  });
  return { kind: "object", properties };
}

function call(scope: TypeScope, node: ts.CallExpression): ConstValue {
  const { ts } = scope;
  if (!ts.isIdentifier(node.expression)) return { kind: "unknown" };
  return {
    kind: "call",
    callee: targetOf(scope, scope.names, node.expression, new Set()),
    args: node.arguments.map((argument) => constant(scope, argument)),
    at: startOf(scope, node),
  };
}
