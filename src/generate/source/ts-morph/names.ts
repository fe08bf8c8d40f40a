import type { ts } from "ts-morph";
import type { Target } from "../model.ts";
import type { ReadContext } from "./positions.ts";

/** The names that a file knows: imports and its own top-level declarations. */
export interface FileNames {
  readonly imports: ReadonlyMap<string, { readonly specifier: string; readonly name: string }>;
  readonly locals: ReadonlySet<string>;
}

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

/** Finds what `a` or `a.b` refers to; `parameters` are the type parameters in scope. */
export function targetOf(
  context: ReadContext,
  names: FileNames,
  name: ts.EntityName,
  parameters: ReadonlySet<string>,
): Target {
  const { ts, path } = context;
  if (ts.isIdentifier(name)) {
    const text = name.text;
    if (parameters.has(text)) return { kind: "parameter", name: text };
    const imported = names.imports.get(text);
    if (imported) return { kind: "import", file: path, ...imported };
    if (names.locals.has(text)) return { kind: "local", file: path, name: text };
    return { kind: "global", name: text };
  }
  const left = ts.isIdentifier(name.left) ? names.imports.get(name.left.text) : undefined;
  if (left?.name === "*") return { kind: "import", file: path, specifier: left.specifier, name: name.right.text };
  if (ts.isIdentifier(name.left) && names.locals.has(name.left.text)) {
    return { kind: "local", file: path, name: `${name.left.text}.${name.right.text}` };
  }
  if (left) {
    return { kind: "import", file: path, specifier: left.specifier, name: `${left.name}.${name.right.text}` };
  }
  return { kind: "global", name: name.getText(context.file) };
}
