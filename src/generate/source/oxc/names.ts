import type { Statement, TSGlobalDeclaration, TSModuleDeclaration, TSTypeName } from "oxc-parser";
import type { EntityName, FileNames } from "../names.ts";
import { type ReadContext, textOf } from "./positions.ts";

/** What an `export` exports, or the statement itself. */
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

/** Collects imports and top-level names. */
export function collectNames(statements: readonly Statement[]): FileNames {
  const imports = new Map<string, { specifier: string; name: string }>();
  const locals = new Set<string>();
  for (const statement of statements) {
    if (statement.type === "ImportDeclaration") {
      const specifier = statement.source.value;
      for (const each of statement.specifiers) imports.set(each.local.name, { specifier, name: importedName(each) });
      continue;
    }
    for (const name of declaredNames(statement)) locals.add(name);
  }
  return { imports, locals };
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

/** The name of a namespace, of `a.b` the first; of a module its specifier as written. */
export function moduleName({ id }: TSModuleDeclaration | TSGlobalDeclaration): string {
  if (id.type === "Literal") return id.raw ?? "";
  if (id.type === "Identifier") return id.name;
  let name = id.left;
  while (name.type === "TSQualifiedName") name = name.left;
  return name.type === "Identifier" ? name.name : "";
}

/** Takes a name apart. */
export function entityName(context: ReadContext, name: TSTypeName): EntityName {
  return { parts: partsOf(context, name), text: textOf(context, name) };
}

function partsOf(context: ReadContext, name: TSTypeName): string[] {
  if (name.type === "Identifier") return [name.name];
  if (name.type === "TSQualifiedName") return [...partsOf(context, name.left), name.right.name];
  context.unsettled(name.type);
  return [];
}
