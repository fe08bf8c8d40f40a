import {
  type CallExpression,
  type ClassDeclaration,
  type EnumDeclaration,
  type Identifier,
  type InterfaceDeclaration,
  Node,
  type ObjectLiteralExpression,
  type Statement,
  SyntaxKind,
  type TypeParameterDeclaration,
  type ts,
} from "ts-morph";
import type { Augmentation, ConstValue, Declaration, Documented, TypeExpr, TypeParameter } from "../model.ts";
import { qualified } from "../names.ts";
import { collectNames, moduleOf, nameOf, namespaceIn, targetOf } from "./names.ts";
import { commentsBetween, commentsInside, leadingComments, startOf, trailingComments } from "./positions.ts";
import { readMembers, readType, type TypeScope, withParameters } from "./types.ts";

/** Reads a top-level statement; returns nothing for imports, exports and similar statements. */
export function readDeclarations(scope: TypeScope, node: Statement): Declaration[] {
  if (Node.isInterfaceDeclaration(node) || Node.isClassDeclaration(node)) return [interfaceLike(scope, node)];
  if (Node.isTypeAliasDeclaration(node)) {
    const { inner, parameters } = typeParameters(scope, node.getTypeParameters());
    const type = readType(inner, node.compilerNode.type);
    return [{ kind: "alias", ...base(scope, node, nameOf(node.getNameNode())), parameters, type }];
  }
  if (Node.isEnumDeclaration(node)) return [enumeration(scope, node)];
  if (Node.isVariableStatement(node)) {
    return node.getDeclarations().map((declaration) => {
      const [name, initializer] = [declaration.getNameNode(), declaration.getInitializer()];
      return {
        kind: "value",
        ...base(scope, node, Node.isIdentifier(name) ? nameOf(name) : ""),
        value: initializer ? constant(scope, initializer) : { kind: "unknown" },
      };
    });
  }
  if (Node.isFunctionDeclaration(node) || Node.isModuleDeclaration(node)) {
    const name = node.compilerNode.name?.getText(scope.file) ?? "";
    return [{ kind: "other", ...base(scope, node, name) }, ...inNamespace(scope, node)];
  }
  if (!Node.isImportEqualsDeclaration(node)) return [];
  const reference = node.getModuleReference();
  if (Node.isExternalModuleReference(reference)) return [];
  const type: TypeExpr = {
    kind: "ref",
    text: reference.getText(),
    target: targetOf(scope, scope.names, reference.compilerNode, new Set()),
    args: [],
    at: startOf(scope, reference.compilerNode),
  };
  const name = nameOf(node.getNameNode());
  return [{ kind: "alias", ...base(scope, node, name), parameters: [], type: Object.freeze(type) }];
}

function inNamespace(scope: TypeScope, node: Statement): Declaration[] {
  const inner = namespaceIn(node);
  if (!inner) return [];
  const namespace = [scope.names.namespace, ...inner.names].filter((name) => name !== "").join(".");
  const within = { ...scope, names: { ...scope.names, namespace } };
  return inner.statements.flatMap((statement) => readDeclarations(within, statement));
}

/** Reads `declare module "…" { … }`. The declarations belong to that module, and can be referred to by name inside it. */
export function readAugmentations(scope: TypeScope, node: Statement): Augmentation[] {
  const specifier = Node.isModuleDeclaration(node) ? moduleOf(node.compilerNode.name) : undefined;
  const body = Node.isModuleDeclaration(node) ? node.getBody() : undefined;
  if (specifier === undefined || !Node.isModuleBlock(body)) return [];
  const statements = body.getStatements();
  const { locals } = collectNames(statements);
  const own = [...locals].map((name) => [name, { specifier, name }] as const);
  const within = { ...scope, names: { ...scope.names, imports: new Map([...scope.names.imports, ...own]) } };
  const declarations = statements.flatMap((statement) => readDeclarations(within, statement));
  return [
    { specifier, declarations: declarations.map((declaration) => Object.freeze({ ...declaration, exported: true })) },
  ];
}

function base(scope: TypeScope, node: Statement, name: string) {
  const { namespace } = scope.names;
  return {
    name: qualified(namespace, name),
    exported: namespace === "" && Node.isModifierable(node) && node.hasModifier(SyntaxKind.ExportKeyword),
    leading: leadingComments(scope, node.getFullStart()),
    ...trailingComments(scope, node.getEnd()),
    at: startOf(scope, node.compilerNode),
  };
}

function typeParameters(scope: TypeScope, nodes: readonly TypeParameterDeclaration[]) {
  const names = nodes.map((node) => nameOf(node.getNameNode()));
  const inner = withParameters(scope, names);
  const parameters: TypeParameter[] = nodes.map((node, index) => {
    const type = node.getDefault();
    return { name: names[index] ?? "", ...(type ? { default: readType(inner, type.compilerNode) } : {}) };
  });
  return { inner, parameters };
}

function interfaceLike(scope: TypeScope, node: InterfaceDeclaration | ClassDeclaration): Declaration {
  const { inner, parameters } = typeParameters(scope, node.getTypeParameters());
  const parents = node
    .getHeritageClauses()
    .filter((clause) => clause.getToken() === SyntaxKind.ExtendsKeyword)
    .flatMap((clause) => clause.getTypeNodes().map((type) => readType(inner, type.compilerNode)));
  const name = node.getNameNode();
  const members = node.compilerNode.members as ts.NodeArray<ts.TypeElement | ts.ClassElement>;
  return {
    kind: Node.isClassDeclaration(node) ? "class" : "interface",
    ...base(scope, node, name ? nameOf(name) : "default"),
    ...commentsInside(scope, members),
    parameters,
    extends: parents,
    ...readMembers(inner, members, Node.isClassDeclaration(node)),
  };
}

function enumeration(scope: TypeScope, node: EnumDeclaration): Declaration {
  let next: number | undefined = 0;
  const members = node.getMembers().map((member) => {
    const initializer = member.getInitializer();
    const initial: ConstValue | undefined = initializer && constant(scope, initializer);
    const given = initial?.kind === "literal" ? initial.value : undefined;
    const value = initial ? given : next;
    next = typeof value === "number" ? value + 1 : undefined;
    const usable = typeof value === "string" || typeof value === "number";
    return {
      name: member
        .getNameNode()
        .getText()
        .replace(/^["']|["']$/g, ""),
      ...(usable ? { value } : {}),
      ...commentsOf(scope, member),
    };
  });
  const comments = commentsBetween(scope, node.compilerNode.members);
  return { kind: "enum", ...base(scope, node, nameOf(node.getNameNode())), ...comments, members };
}

/** Returns the comments of a member of an enum. One that ends with a comma can have a comment behind it. */
function commentsOf(scope: TypeScope, member: Node): Documented {
  const leading = leadingComments(scope, member.getFullStart());
  const end = member.getEnd();
  const comma = scope.file.text.startsWith(",", end) ? 1 : 0;
  return { ...(leading.length === 0 ? {} : { leading }), ...trailingComments(scope, end + comma) };
}

/** Reads the constant parts of an expression. */
function constant(scope: TypeScope, node: Node): ConstValue {
  if (Node.isAsExpression(node) || Node.isSatisfiesExpression(node) || Node.isParenthesizedExpression(node)) {
    return constant(scope, node.getExpression());
  }
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) {
    return { kind: "literal", value: node.getLiteralValue() };
  }
  // `getLiteralValue` returns 1 for 1e21.
  if (Node.isNumericLiteral(node)) return { kind: "literal", value: Number(node.compilerNode.text) };
  if (Node.isPrefixUnaryExpression(node) && node.getOperatorToken() === SyntaxKind.MinusToken) {
    const inner = constant(scope, node.getOperand());
    if (inner.kind === "literal" && typeof inner.value === "number") return { kind: "literal", value: -inner.value };
  }
  if (Node.isTrueLiteral(node)) return { kind: "literal", value: true };
  if (Node.isFalseLiteral(node)) return { kind: "literal", value: false };
  if (Node.isNullLiteral(node)) return { kind: "literal", value: null };
  if (Node.isArrayLiteralExpression(node)) {
    return { kind: "array", elements: node.getElements().map((element) => constant(scope, element)) };
  }
  if (Node.isObjectLiteralExpression(node)) return objectConstant(scope, node);
  if (Node.isIdentifier(node)) return { kind: "reference", target: valueTarget(scope, node) };
  return Node.isCallExpression(node) ? call(scope, node) : { kind: "unknown" };
}

function valueTarget(scope: TypeScope, node: Identifier) {
  return targetOf(scope, scope.names, node.compilerNode, new Set());
}

function objectConstant(scope: TypeScope, node: ObjectLiteralExpression): ConstValue {
  const properties = node.getProperties().flatMap((property) => {
    const initializer = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
    if (!Node.isPropertyAssignment(property) || !initializer) return [];
    const name = property.getNameNode();
    if (!Node.isIdentifier(name) && !Node.isStringLiteral(name) && !Node.isNumericLiteral(name)) return [];
    return [{ name: nameOf(name), value: constant(scope, initializer) }];
  });
  return { kind: "object", properties };
}

function call(scope: TypeScope, node: CallExpression): ConstValue {
  const callee = node.getExpression();
  if (!Node.isIdentifier(callee)) return { kind: "unknown" };
  return {
    kind: "call",
    callee: valueTarget(scope, callee),
    args: node.getArguments().map((argument) => constant(scope, argument)),
    at: startOf(scope, node.compilerNode),
  };
}
