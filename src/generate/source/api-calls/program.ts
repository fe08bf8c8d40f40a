import { dirname, relative } from "node:path";
import { ts } from "ts-morph";
import { createCompilerLocate } from "../compiler-locate.ts";
import type { Files } from "../files.ts";
import { createLocate } from "../locate.ts";
import type { Position } from "../model.ts";
import { createProject, isLibraryFile } from "../ts-morph/project.ts";

/** The code of an operator with its types. */
export interface CodeProgram {
  readonly checker: ts.TypeChecker;
  /** The operator's own files: those that its entry point imports, or all files if none creates a manager. */
  readonly files: readonly ts.SourceFile[];
  /** Returns the name under which the runtime exports a symbol; undefined for other symbols. */
  runtimeName(symbol: ts.Symbol | undefined): string | undefined;
  /** Returns the export of the runtime's API for a symbol; undefined for other symbols. */
  apiExport(symbol: ts.Symbol): { readonly module: string; readonly name: string } | undefined;
  isOwn(file: ts.SourceFile): boolean;
  /** Returns whether a file declares JavaScript itself. */
  isLibrary(file: ts.SourceFile): boolean;
  positionOf(node: ts.Node): Position;
}

const runtime = "@kubewright/runtime";

/**
 * Reads the code in some directories, including the bodies of functions.
 *
 * @returns undefined if no file imports the runtime; `missing` if it is imported but can't be found
 */
export function readCode(files: Files, directories: readonly string[]): CodeProgram | "missing" | undefined {
  const locate = createLocate(files, createCompilerLocate(files));
  const roots = directories.flatMap((directory) => files.sourceFiles(directory));
  const project = createProject({
    textAt: (path) => (files.isFile(path) ? files.read(path) : undefined),
    locate: (from, specifier) => (specifier.startsWith("node:") ? undefined : locate(from, specifier)),
  });
  for (const path of roots) project.addSourceFileAtPathIfExists(path);
  const program = project.getProgram().compilerObject;
  const checker = program.getTypeChecker();
  const isCode = (file: ts.SourceFile) => !file.isDeclarationFile && !/[\\/]node_modules[\\/]/.test(file.fileName);
  const code = program.getSourceFiles().filter(isCode);
  const importer = code.find((file) => importsOf(file).some((each) => each.startsWith(runtime)));
  if (!importer) return undefined;
  const index = locate(importer.fileName, runtime);
  const entryPoint = index === undefined ? undefined : program.getSourceFile(index);
  if (index === undefined || !entryPoint) return "missing";
  // The runtime may be installed as source code.
  const home = dirname(index);
  const isOwn = (file: ts.SourceFile) => isCode(file) && !file.fileName.startsWith(`${home}/`);
  const own = code.filter(isOwn);
  const names = new Map(exportsOf(checker, entryPoint));
  const runtimeName = (symbol: ts.Symbol | undefined) => symbol && names.get(symbol);
  const api = apiExports(checker, program.getSourceFiles(), home);
  const within = entered(own, checker, runtimeName, (from, specifier) => locate(from, specifier));
  return {
    checker,
    files: within,
    runtimeName,
    isOwn,
    isLibrary: (file) => isLibraryFile(file.fileName),
    apiExport: (symbol) => api.get(symbol),
    positionOf(node) {
      const file = node.getSourceFile();
      const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file, false));
      return { file: file.fileName, line: line + 1, column: character + 1 };
    },
  };
}

/** Returns the symbols that a module exports, wherever they are declared, and their exported names. */
function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile): (readonly [symbol: ts.Symbol, name: string])[] {
  const module = checker.getSymbolAtLocation(file);
  return (module ? checker.getExportsOfModule(module) : []).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return [isAlias ? checker.getAliasedSymbol(symbol) : symbol, symbol.name];
  });
}

/**
 * Returns the exports of the runtime's API modules that the program has read. Several modules may share a file of
 * declarations.
 */
function apiExports(
  checker: ts.TypeChecker,
  files: readonly ts.SourceFile[],
  home: string,
): ReadonlyMap<ts.Symbol, { readonly module: string; readonly name: string }> {
  const modules = files.flatMap((file) => {
    const path = relative(home, file.fileName).replaceAll("\\", "/");
    const module = /^(api\/[^/]+\/[^/]+?)(\.d)?\.[mc]?ts$/.exec(path)?.[1];
    return module === undefined ? [] : [{ file, module: `${runtime}/${module}` }];
  });
  return new Map(
    modules.flatMap(({ file, module }) =>
      exportsOf(checker, file).map(([symbol, name]) => [symbol, { module, name }] as const),
    ),
  );
}

function importsOf(file: ts.SourceFile): string[] {
  const specifiers: string[] = [];
  const visit = (node: ts.Node): void => {
    const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const specifier = isImport ? node.moduleSpecifier : undefined;
    if (specifier && ts.isStringLiteral(specifier)) specifiers.push(specifier.text);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) specifiers.push(argument.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return specifiers;
}

/**
 * Returns the files that create a manager, with their imports. Scripts and test helpers next to them have other permissions.
 */
function entered(
  own: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
  runtimeName: CodeProgram["runtimeName"],
  locate: (from: string, specifier: string) => string | undefined,
): readonly ts.SourceFile[] {
  const makesManager = (file: ts.SourceFile) => {
    let isEntered = false;
    const visit = (node: ts.Node): void => {
      const isCreate = ts.isPropertyAccessExpression(node) && node.name.text === "create";
      if (isCreate && runtimeName(resolved(checker, node.expression)) === "Manager") isEntered = true;
      if (!isEntered) ts.forEachChild(node, visit);
    };
    visit(file);
    return isEntered;
  };
  const entries = own.filter(makesManager);
  if (entries.length === 0) return own;
  const byPath = new Map(own.map((file) => [file.fileName, file]));
  const reached = new Set(entries);
  for (const file of reached) {
    for (const specifier of importsOf(file)) {
      const next = byPath.get(locate(file.fileName, specifier) ?? "");
      if (next) reached.add(next);
    }
  }
  return own.filter((file) => reached.has(file));
}

/** Returns the symbol that a name refers to, through imports. */
export function resolved(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  if (!symbol) return undefined;
  return (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
}
