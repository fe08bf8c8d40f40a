import type {
  Class,
  Statement,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSTypeParameterDeclaration,
} from "oxc-parser";
import type { ConstValue, Declaration, TypeParameter } from "../model.ts";
import { qualified } from "../names.ts";
import { readConstant } from "./constants.ts";
import { hasStraySemicolon, readMembers, startOf } from "./members.ts";
import { declarationIn, moduleName, namespaceIn } from "./names.ts";
import { commentsBetween, commentsInside, leadingComments, positionOf, textOf, trailingComments } from "./positions.ts";
import { parameterNames, type TypeScope, withParameters } from "./scope.ts";
import { checkHeader } from "./strict.ts";
import { readHeritage, readType } from "./types.ts";

/**
 * TypeScript's own syntax for CommonJS, which APIs rarely use, and aliases of names in namespaces. The complete reader reads
 * them.
 */
const handedOver = new Set(["TSNamespaceExportDeclaration", "TSImportEqualsDeclaration", "TSExportAssignment"]);

/** Reads a statement; returns nothing for imports, exports and similar statements. */
export function readDeclarations(scope: TypeScope, statement: Statement): Declaration[] {
  const node = declarationIn(statement);
  if (!node) return [];
  if (handedOver.has(node.type)) scope.unsettled(node.type);
  checkHeader(scope, statement, node);
  const start = statementStart(statement);
  const { namespace } = scope.names;
  const base = (name: string) => ({
    name: qualified(namespace, name),
    exported: namespace === "" && node !== statement,
    leading: leadingComments(scope, start),
    ...trailingComments(scope, statement.end),
    at: positionOf(scope, start),
  });
  switch (node.type) {
    case "TSInterfaceDeclaration":
      return [
        {
          kind: "interface",
          ...base(node.id.name),
          ...commentsInside(scope, node.body),
          ...interfaceParts(scope, node),
        },
      ];
    case "ClassDeclaration":
      return [
        {
          kind: "class",
          ...base(node.id?.name ?? "default"),
          ...commentsInside(scope, node.body),
          ...classParts(scope, node),
        },
      ];
    case "TSTypeAliasDeclaration": {
      const { inner, parameters } = typeParameters(scope, node.typeParameters);
      return [{ kind: "alias", ...base(node.id.name), parameters, type: readType(inner, node.typeAnnotation) }];
    }
    case "TSEnumDeclaration":
      return [
        {
          kind: "enum",
          ...base(node.id.name),
          ...commentsBetween(scope, node.body),
          members: enumMembers(scope, node),
        },
      ];
    case "VariableDeclaration":
      return node.declarations.map(({ id, init }) => ({
        kind: "value",
        ...base(id.type === "Identifier" ? id.name : ""),
        value: init ? readConstant(scope, init) : { kind: "unknown" },
      }));
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return [{ kind: "other", ...base(node.id ? textOf(scope, node.id) : "") }];
    case "TSModuleDeclaration":
      if (node.id.type === "Literal" || node.kind === "global") scope.unsettled("an augmentation");
      return [{ kind: "other", ...base(moduleName(node)) }, ...inNamespace(scope, statement)];
    default:
      return [];
  }
}

function inNamespace(scope: TypeScope, statement: Statement): Declaration[] {
  const inner = namespaceIn(statement);
  if (!inner) return [];
  const namespace = [scope.names.namespace, ...inner.names].filter((name) => name !== "").join(".");
  const within = { ...scope, names: { ...scope.names, namespace } };
  return inner.statements.flatMap((each) => readDeclarations(within, each));
}

/** Returns the start of a statement, including the decorators of an exported class. */
export function statementStart(statement: Statement): number {
  const node = declarationIn(statement);
  return Math.min(statement.start, node?.type === "ClassDeclaration" ? startOf(node) : statement.start);
}

function typeParameters(scope: TypeScope, node: TSTypeParameterDeclaration | null | undefined) {
  const inner = withParameters(scope, parameterNames(node));
  const parameters: TypeParameter[] = (node?.params ?? []).map((each) => ({
    name: each.name.name,
    ...(each.default ? { default: readType(inner, each.default) } : {}),
  }));
  return { inner, parameters };
}

function interfaceParts(scope: TypeScope, node: TSInterfaceDeclaration) {
  const { inner, parameters } = typeParameters(scope, node.typeParameters);
  const parents = node.extends.map((each) => readHeritage(inner, each.expression, each.typeArguments));
  return { parameters, extends: parents, ...readMembers(inner, node.body.body, readType) };
}

function classParts(scope: TypeScope, node: Class) {
  if (hasStraySemicolon(scope.text, node.body)) scope.unsettled("a semicolon for a class member");
  const { inner, parameters } = typeParameters(scope, node.typeParameters);
  const parents = node.superClass ? [readHeritage(inner, node.superClass, node.superTypeArguments)] : [];
  return { parameters, extends: parents, ...readMembers(inner, node.body.body, readType) };
}

function enumMembers(scope: TypeScope, node: TSEnumDeclaration) {
  let next: number | undefined = 0;
  return node.body.members.map((member) => {
    if (member.computed) scope.unsettled("a computed name of an enum member");
    const initial: ConstValue | undefined = member.initializer ? readConstant(scope, member.initializer) : undefined;
    const given = initial?.kind === "literal" ? initial.value : undefined;
    const value = initial ? given : next;
    next = typeof value === "number" ? value + 1 : undefined;
    const usable = typeof value === "string" || typeof value === "number";
    return { name: textOf(scope, member.id).replace(/^["']|["']$/g, ""), ...(usable ? { value } : {}) };
  });
}
