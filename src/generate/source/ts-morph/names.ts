import { type ModuleDeclaration, Node, type Statement, ts } from "ts-morph";
import type { Target } from "../model.ts";
import { type FileNames, targetOf as findTarget, qualified } from "../names.ts";
import type { ReadContext } from "./positions.ts";

/** Collects imports and declared names. */
export function collectNames(statements: readonly Statement[]): FileNames {
  const imports = new Map<string, { specifier: string; name: string }>();
  const locals = new Set<string>();
  for (const statement of statements) {
    if (Node.isImportDeclaration(statement)) {
      const specifier = moduleOf(statement.compilerNode.moduleSpecifier) ?? "";
      const [whole, namespace] = [statement.getDefaultImport(), statement.getNamespaceImport()];
      if (whole) imports.set(nameOf(whole), { specifier, name: "default" });
      if (namespace) imports.set(nameOf(namespace), { specifier, name: "*" });
      for (const element of statement.getNamedImports()) {
        const name = nameOf(element.getNameNode());
        imports.set(nameOf(element.getAliasNode() ?? element.getNameNode()), { specifier, name });
      }
      continue;
    }
    const required = requiredModule(statement);
    if (required) imports.set(required.name, { specifier: required.specifier, name: "export=" });
    else declaredNames(statement, "", locals);
  }
  return { imports, locals, namespace: "" };
}

/** Returns the text of a module specifier; undefined if it is missing, for which ts-morph's own methods fail. */
export function moduleOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteral(node) ? node.text : undefined;
}

/** Returns a name without escapes, and without the quotes of names such as `"a-b"` in imports and exports. */
export function nameOf(node: Node): string {
  return (node.compilerNode as ts.Identifier | ts.StringLiteral).text;
}

/** Returns the module of `import name = require("specifier")`. */
function requiredModule(node: Statement): { name: string; specifier: string } | undefined {
  const reference = Node.isImportEqualsDeclaration(node) ? node.getModuleReference() : undefined;
  const specifier = Node.isExternalModuleReference(reference) ? moduleOf(reference.compilerNode.expression) : undefined;
  if (!Node.isImportEqualsDeclaration(node) || specifier === undefined) return undefined;
  return { name: nameOf(node.getNameNode()), specifier };
}

function declaredNames(node: Statement, namespace: string, into: Set<string>): void {
  if (Node.isVariableStatement(node)) {
    for (const declaration of node.getDeclarations()) {
      const name = declaration.getNameNode();
      if (Node.isIdentifier(name)) into.add(qualified(namespace, nameOf(name)));
    }
    return;
  }
  const { name } = node.compilerNode as { name?: ts.Node };
  if (!name || !ts.isIdentifier(name)) return;
  into.add(qualified(namespace, name.text));
  const inner = namespaceIn(node);
  let path = namespace;
  for (const innerName of inner?.names ?? []) {
    path = qualified(path, innerName);
    into.add(path);
  }
  for (const statement of inner?.statements ?? []) declaredNames(statement, path, into);
}

/**
 * Returns the names and statements of `namespace A.B { … }`, and those of `declare global { … }` as a namespace of that
 * name. Undefined for anything else, including `declare module "…"`.
 */
export function namespaceIn(node: Statement): { names: string[]; statements: readonly Statement[] } | undefined {
  if (!Node.isModuleDeclaration(node)) return undefined;
  const parts = partsOfNamespace(node);
  if (!parts.every((part) => Node.isIdentifier(part.getNameNode()))) return undefined;
  const body = parts.at(-1)?.getBody();
  return {
    names: parts.map((part) => nameOf(part.getNameNode())),
    statements: Node.isModuleBlock(body) ? body.getStatements() : [],
  };
}

/** Returns a declaration per part of a name: `namespace A.B` contains one of `B`. */
function partsOfNamespace(node: ModuleDeclaration): ModuleDeclaration[] {
  const body = node.getBody();
  return Node.isModuleDeclaration(body) ? [node, ...partsOfNamespace(body)] : [node];
}

/** Returns the target of a name; `parameters` are the type parameters in scope. */
export function targetOf(
  context: ReadContext,
  names: FileNames,
  name: ts.EntityName,
  parameters: ReadonlySet<string>,
): Target {
  const text = name.getText(context.file);
  return findTarget(context.path, names, { parts: partsOf(name), text }, parameters);
}

function partsOf(name: ts.EntityName): string[] {
  return ts.isIdentifier(name) ? [name.text] : [...partsOf(name.left), name.right.text];
}
