import type { ts } from "ts-morph";
import type { Target } from "../model.ts";
import { type FileNames, targetOf as findTarget } from "../names.ts";
import type { ReadContext } from "./positions.ts";

/** Collects imports and top-level names. A namespace import has the name `*`. */
export function collectNames({ ts, file }: ReadContext): FileNames {
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
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) locals.add(name.text);
    } else if ("name" in statement && statement.name && ts.isIdentifier(statement.name as ts.Node)) {
      locals.add((statement.name as ts.Identifier).text);
    }
  }
  return { imports, locals };
}

/** Finds what a name refers to; `parameters` are the type parameters in scope. */
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
