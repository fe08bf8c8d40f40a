// The reports of the packages' APIs: the declarations of all exports, without comments. Their diffs show each change of an API.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "../../lib/run.mjs";

/** The packages with a report. The API of the runtime is in docs/reference/runtime. */
export const reported = ["packages/apiserver", "packages/cel"] as const;

/** Returns the path of a package's report. */
export const reportPath = (directory: string): string => join(root, directory, "api.md");

interface Entry {
  readonly types: string;
}

/**
 * Writes the report of a package from its sources.
 *
 * @param directory - the directory of the package in the repository
 * @returns the report, with a section per entry point
 */
export function apiReport(directory: string): string {
  const { name, exports } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")) as {
    name: string;
    exports: Record<string, Entry | string>;
  };
  const sections = Object.entries(exports).flatMap(([path, entry]) => {
    if (typeof entry === "string") return [];
    const source = join(root, directory, entry.types.replace("./dist/", "src/").replace(".d.ts", ".ts"));
    const declarations = exportedNames(source).map(([exported, module]) => declarationOf(module, exported));
    return [`## \`${join(name, path).replaceAll("\\", "/")}\`\n\n\`\`\`ts\n${declarations.join("\n\n")}\n\`\`\`\n`];
  });
  return `# The API of ${name}\n\nMade by \`npm run docs:reference\` from the sources.\n\n${sections.join("\n")}`;
}

/** Returns the names that an entry point exports, sorted, each with its module. */
function exportedNames(entry: string): [name: string, module: string][] {
  const names = parse(entry, readFileSync(entry, "utf8")).statements.flatMap((statement): [string, string][] => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause || !ts.isNamedExports(statement.exportClause)) {
      return [];
    }
    const from = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text;
    if (from === undefined) throw new Error(`${entry}: exports without a module aren't reported`);
    const module = join(dirname(entry), from);
    return statement.exportClause.elements.map((element) => [(element.propertyName ?? element.name).text, module]);
  });
  return names.sort(([a], [b]) => (a < b ? -1 : 1));
}

const emitted = new Map<string, ts.SourceFile>();

/** Returns the declaration of an export, with all overloads of a function. */
function declarationOf(module: string, name: string): string {
  const declarations = emitted.get(module) ?? emit(module);
  emitted.set(module, declarations);
  const statements = declarations.statements.filter((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.some((declaration) => declaration.name.getText(declarations) === name)
      : (statement as ts.Statement & { name?: ts.Identifier }).name?.text === name,
  );
  if (statements.length > 0) return statements.map((statement) => statement.getText(declarations)).join("\n");
  const inner = declarations.statements.find(
    (statement): statement is ts.ExportDeclaration =>
      ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause) &&
      statement.exportClause.elements.some((element) => element.name.text === name),
  );
  const from = (inner?.moduleSpecifier as ts.StringLiteral | undefined)?.text;
  if (from === undefined) throw new Error(`${module} doesn't export ${name}`);
  return declarationOf(join(dirname(module), from), name);
}

/** Returns the declarations of a module, without comments and private members. */
function emit(module: string): ts.SourceFile {
  const { outputText } = ts.transpileDeclaration(readFileSync(module, "utf8"), {
    fileName: module,
    compilerOptions: { removeComments: true, stripInternal: true, isolatedDeclarations: true },
  });
  return parse(module.replace(/\.ts$/, ".d.ts"), outputText);
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}
