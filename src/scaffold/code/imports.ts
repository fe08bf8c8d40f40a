import { type ImportDeclaration, Node, type SourceFile } from "ts-morph";
import { byModule, importStatement, type WantedImport } from "./print.ts";
import { replaceRange } from "./source-file.ts";

/**
 * Imports missing names. They are added to an existing import of the same module in alphabetical order, or to a new import in
 * the order of modules.
 */
export function addImports(file: SourceFile, wanted: readonly WantedImport[]): void {
  for (const { module, names } of wanted) {
    const missing = names.filter((name) => !isImported(file, localName(name)));
    if (missing.length === 0) continue;
    const declaration = file
      .getImportDeclarations()
      .find(
        (importDeclaration) =>
          importDeclaration.getModuleSpecifierValue() === module && hasOnlyNames(importDeclaration),
      );
    if (declaration === undefined) insertImport(file, missing, module);
    else declaration.replaceWithText(importStatement([...namesIn(declaration), ...missing], module));
  }
}

/** Removes unused imports. */
export function removeImports(file: SourceFile, wanted: readonly WantedImport[]): void {
  const modules = new Set(wanted.map(({ module }) => module));
  for (const module of modules) {
    // Removing text invalidates other nodes, so each step searches for the next declaration.
    while (removeFrom(file, module, wanted)) {}
  }
}

/** Removes unused names from the next import of a module that has some. Returns whether there was one. */
function removeFrom(file: SourceFile, module: string, wanted: readonly WantedImport[]): boolean {
  const names = wanted
    .filter((wantedImport) => wantedImport.module === module)
    .flatMap((wantedImport) => wantedImport.names);
  const unused = new Set(names.map(localName).filter((name) => !isUsed(file, name)));
  const isKept = (name: string) => !unused.has(localName(name));
  const declaration = file
    .getImportDeclarations()
    .filter(
      (importDeclaration) => importDeclaration.getModuleSpecifierValue() === module && hasOnlyNames(importDeclaration),
    )
    .find((importDeclaration) => !namesIn(importDeclaration).every(isKept));
  if (declaration === undefined) return false;
  const left = namesIn(declaration).filter(isKept);
  const [start, end] = [declaration.getStart(), declaration.getEnd()];
  const lineBreak = /^\r?\n/.exec(file.getFullText().slice(end))?.[0].length ?? 0;
  if (left.length === 0) replaceRange(file, [start, end + lineBreak], "");
  else declaration.replaceWithText(importStatement(left, module));
  return true;
}

function isImported(file: SourceFile, name: string): boolean {
  return file.getImportDeclarations().some((declaration) => {
    const named = declaration.getNamedImports().map((namedImport) => localName(namedImport.getText()));
    const whole = [declaration.getDefaultImport()?.getText(), declaration.getNamespaceImport()?.getText()];
    return [...named, ...whole].includes(name);
  });
}

/** Whether a name is used outside of imports. */
function isUsed(file: SourceFile, name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  return file
    .getStatements()
    .some((statement) => !Node.isImportDeclaration(statement) && word.test(statement.getText()));
}

/** Whether an import has only names: no default, no namespace, and no comments that a new list would lose. */
function hasOnlyNames(declaration: ImportDeclaration): boolean {
  const plain = !declaration.getDefaultImport() && declaration.getNamedImports().length > 0;
  return plain && !/\/[/*]/.test(declaration.getText().replace(declaration.getModuleSpecifier().getText(), ""));
}

/** Returns the names that a declaration imports, each with its own `type`. */
function namesIn(declaration: ImportDeclaration): string[] {
  const prefix = declaration.isTypeOnly() ? "type " : "";
  return declaration.getNamedImports().map((namedImport) => `${prefix}${namedImport.getText()}`);
}

/** Inserts an import statement in the order of modules. */
function insertImport(file: SourceFile, names: readonly string[], module: string): void {
  const line = importStatement(names, module);
  const declarations = file.getImportDeclarations();
  const before = declarations.findLast((declaration) => byModule(declaration.getModuleSpecifierValue(), module) <= 0);
  if (before !== undefined) {
    replaceRange(file, [before.getEnd(), before.getEnd()], `\n${line}`);
    return;
  }
  const first = declarations[0] ?? file.getStatements()[0];
  const space = declarations.length > 0 ? "\n" : "\n\n";
  const start = first?.getStart() ?? file.getEnd();
  replaceRange(file, [start, start], `${line}${space}`);
}

/** Returns the name in the file for a name in braces. */
function localName(name: string): string {
  const [, alias] = /\bas\s+(\S+)$/.exec(name) ?? [];
  return alias ?? name.replace(/^type\s+/, "");
}
