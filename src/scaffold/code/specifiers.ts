import { Node, type SourceFile } from "ts-morph";

/**
 * Replaces the modules in imports and exports, including `import("…")` as a value and as a type.
 *
 * @param redirect returns the new module for one; undefined to keep it
 */
export function replaceModules(file: SourceFile, redirect: (module: string) => string | undefined): void {
  for (const literal of file.getImportStringLiterals()) {
    const module = Node.isStringLiteral(literal) ? redirect(literal.getLiteralValue()) : undefined;
    if (module !== undefined && module !== literal.getLiteralValue()) literal.setLiteralValue(module);
  }
}
