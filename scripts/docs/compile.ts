import { join } from "node:path";
import ts from "typescript";
import { type BlockModule, givensOf, moduleOfCode, moduleOfObjects } from "./modules.ts";
import type { Block } from "./page.ts";
import { root } from "./pages.ts";

const here = import.meta.dirname;

/** Compiles blocks together against the sources of the packages. Returns the errors, each with the position of its block. */
export function compile(blocks: readonly Block[]): string[] {
  const options = compilerOptions();
  const files = new Map<string, string>();
  const host = hostOver(options, files);
  const givens = [...new Set(blocks.flatMap(givensOf))].map((name) => join(here, "given", `${name}.ts`));
  const before = ts.createProgram(givens, options, host);
  const checker = before.getTypeChecker();
  const exportsOf = (given: string): string[] => {
    const source = before.getSourceFile(join(here, "given", `${given}.ts`));
    const symbol = source && checker.getSymbolAtLocation(source);
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name);
  };
  const modules = blocks.flatMap((block, index) =>
    block.language === "ts" ? moduleOfCode(block, index, exportsOf) : (moduleOfObjects(block, index) ?? []),
  );
  for (const { name, text } of modules) files.set(join(here, name), text);
  const program = ts.createProgram([...files.keys()], options, host, before);
  return modules.flatMap((module) => problemsOf(program, module));
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ["tsconfig.json"] }, ts.sys, root);
  // The imports of given names don't distinguish between types and values.
  return {
    ...options,
    allowJs: false,
    verbatimModuleSyntax: false,
    isolatedModules: false,
    types: ["node"],
    typeRoots: undefined,
  };
}

/** Returns the file system with the blocks on top of it. Each file is read and parsed once for both programs. */
function hostOver(options: ts.CompilerOptions, files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  return {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, version, ...rest) => {
      const text = files.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, version);
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, version, ...rest));
      return parsed.get(path);
    },
  };
}

function problemsOf(program: ts.Program, { name, block, offset }: BlockModule): string[] {
  const source = program.getSourceFile(join(here, name));
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => {
    const inModule = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    const line = offset > 0 ? block.line + 1 + inModule - offset : block.line;
    return `${block.page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}
