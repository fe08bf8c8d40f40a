import type { ts } from "ts-morph";
import type { Target } from "../model.ts";
import { type FileNames, targetOf as findTarget, qualified } from "../names.ts";
import type { ReadContext } from "./positions.ts";

/** Collects imports and declared names. */
export function collectNames({
  ts,
  file,
}: {
  readonly ts: ReadContext["ts"];
  readonly file: Pick<ts.SourceFile, "statements">;
}): FileNames {
  const imports = new Map<string, { specifier: string; name: string }>();
  const locals = new Set<string>();
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const clause = statement.importClause;
      const specifier = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : "";
      if (clause?.name) imports.set(clause.name.text, { specifier, name: "default" });
      const bindings = clause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) imports.set(bindings.name.text, { specifier, name: "*" });
      if (bindings && ts.isNamedImports(bindings)) {
        for (const element of bindings.elements) {
          imports.set(element.name.text, { specifier, name: (element.propertyName ?? element.name).text });
        }
      }
      continue;
    }
    const required = requiredModule(ts, statement);
    if (required) imports.set(required.name, { specifier: required.specifier, name: "export=" });
    else declaredNames(ts, statement, "", locals);
  }
  return { imports, locals, namespace: "" };
}

/** Returns the module of `import name = require("specifier")`. */
function requiredModule(compiler: typeof ts, node: ts.Statement): { name: string; specifier: string } | undefined {
  if (!compiler.isImportEqualsDeclaration(node) || !compiler.isExternalModuleReference(node.moduleReference))
    return undefined;
  const { expression } = node.moduleReference;
  return compiler.isStringLiteral(expression) ? { name: node.name.text, specifier: expression.text } : undefined;
}

function declaredNames(compiler: typeof ts, node: ts.Statement, namespace: string, into: Set<string>): void {
  if (compiler.isVariableStatement(node)) {
    for (const { name } of node.declarationList.declarations) {
      if (compiler.isIdentifier(name)) into.add(qualified(namespace, name.text));
    }
  } else if ("name" in node && node.name && compiler.isIdentifier(node.name as ts.Node)) {
    into.add(qualified(namespace, (node.name as ts.Identifier).text));
    const inner = namespaceIn(compiler, node);
    let path = namespace;
    for (const each of inner?.names ?? []) {
      path = qualified(path, each);
      into.add(path);
    }
    for (const each of inner?.statements ?? []) declaredNames(compiler, each, path, into);
  }
}

/**
 * Returns the names and statements of `namespace A.B { … }`, and those of `declare global { … }` as a namespace of that
 * name. Undefined for anything else, including `declare module "…"`.
 */
export function namespaceIn(
  compiler: typeof ts,
  node: ts.Statement,
): { names: string[]; statements: readonly ts.Statement[] } | undefined {
  if (!compiler.isModuleDeclaration(node)) return undefined;
  const names: string[] = [];
  let body: ts.Node | undefined = node;
  while (body && compiler.isModuleDeclaration(body)) {
    if (!compiler.isIdentifier(body.name)) return undefined;
    names.push(body.name.text);
    body = body.body;
  }
  return { names, statements: body && compiler.isModuleBlock(body) ? body.statements : [] };
}

/** Returns the target of a name; `parameters` are the type parameters in scope. */
export function targetOf(
  context: ReadContext,
  names: FileNames,
  name: ts.EntityName,
  parameters: ReadonlySet<string>,
): Target {
  return findTarget(
    context.path,
    names,
    { parts: partsOf(context, name), text: name.getText(context.file) },
    parameters,
  );
}

function partsOf(context: ReadContext, name: ts.EntityName): string[] {
  return context.ts.isIdentifier(name) ? [name.text] : [...partsOf(context, name.left), name.right.text];
}
