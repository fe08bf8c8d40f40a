import type { Statement, TSGlobalDeclaration, TSModuleDeclaration, TSTypeName } from "oxc-parser";
import { type EntityName, type FileNames, qualified } from "../names.ts";
import { type ReadContext, textOf } from "./positions.ts";

/** Returns the declaration in an `export`, or the statement itself. */
export function declarationIn(statement: Statement): Statement | undefined {
  if (statement.type === "ExportNamedDeclaration") return statement.declaration ?? undefined;
  if (statement.type !== "ExportDefaultDeclaration") return statement;
  switch (statement.declaration.type) {
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
      return statement.declaration;
    default:
      return undefined;
  }
}

/** Collects imports and declared names. */
export function collectNames(statements: readonly Statement[]): FileNames {
  const imports = new Map<string, { specifier: string; name: string }>();
  const locals = new Set<string>();
  for (const statement of statements) {
    if (statement.type === "ImportDeclaration") {
      const specifier = statement.source.value;
      for (const each of statement.specifiers) imports.set(each.local.name, { specifier, name: importedName(each) });
      continue;
    }
    addNames(statement, "", locals);
  }
  return { imports, locals, namespace: "" };
}

function addNames(statement: Statement, namespace: string, into: Set<string>): void {
  for (const name of declaredNames(statement)) into.add(qualified(namespace, name));
  const inner = namespaceIn(statement);
  if (!inner) return;
  let path = namespace;
  for (const name of inner.names) {
    path = qualified(path, name);
    into.add(path);
  }
  for (const each of inner.statements) addNames(each, path, into);
}

/**
 * Returns the names and statements of `namespace A.B { … }`; undefined for anything else, including `declare module` and
 * `declare global`.
 */
export function namespaceIn(statement: Statement): { names: string[]; statements: readonly Statement[] } | undefined {
  const node = declarationIn(statement);
  if (node?.type !== "TSModuleDeclaration" || node.id.type === "Literal") return undefined;
  const names = node.id.type === "Identifier" ? [node.id.name] : qualifiedParts(node.id);
  const body = node.body as { body?: readonly Statement[] } | null | undefined;
  return { names, statements: body?.body ?? [] };
}

function qualifiedParts(name: TSTypeName): string[] {
  if (name.type === "Identifier") return [name.name];
  return name.type === "TSQualifiedName" ? [...qualifiedParts(name.left), name.right.name] : [];
}

type ImportSpecifierNode = Extract<Statement, { type: "ImportDeclaration" }>["specifiers"][number];

function importedName(node: ImportSpecifierNode): string {
  if (node.type === "ImportDefaultSpecifier") return "default";
  if (node.type === "ImportNamespaceSpecifier") return "*";
  return node.imported.type === "Literal" ? node.imported.value : node.imported.name;
}

function declaredNames(statement: Statement): string[] {
  const node = declarationIn(statement);
  switch (node?.type) {
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    case "TSModuleDeclaration":
      return node.id.type === "Literal" ? [] : [moduleName(node)];
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
      return node.id ? [node.id.name] : [];
    default:
      return [];
  }
}

/** Returns the name of a namespace, `a` for `a.b`; for a module, its specifier as written. */
export function moduleName({ id }: TSModuleDeclaration | TSGlobalDeclaration): string {
  if (id.type === "Literal") return id.raw ?? "";
  if (id.type === "Identifier") return id.name;
  let name = id.left;
  while (name.type === "TSQualifiedName") name = name.left;
  return name.type === "Identifier" ? name.name : "";
}

/** Splits a name into its parts. */
export function entityName(context: ReadContext, name: TSTypeName): EntityName {
  return { parts: partsOf(context, name), text: textOf(context, name) };
}

function partsOf(context: ReadContext, name: TSTypeName): string[] {
  if (name.type === "Identifier") return [name.name];
  if (name.type === "TSQualifiedName") return [...partsOf(context, name.left), name.right.name];
  context.unsettled(name.type);
  return [];
}
