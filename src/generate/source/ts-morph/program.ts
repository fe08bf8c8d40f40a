import { createRequire } from "node:module";
import { posix } from "node:path";
import type { ts } from "ts-morph";
import type { SourceFile } from "../model.ts";
import { loadCompiler } from "./compiler.ts";
import { runtimeScalars, type Tags } from "./tags.ts";

/** What a program is made of. */
export interface ProgramInput {
  /** The paths of all files that the run has read so far. */
  readonly known: () => Iterable<string>;
  readonly file: (path: string) => SourceFile | undefined;
  readonly textOf: (path: string) => string | undefined;
  readonly locate: (from: string, specifier: string) => string | undefined;
  /** Declarations of a module of the runtime; undefined if it has none of this name. */
  readonly declarations: (specifier: string) => string | undefined;
  readonly tags: Tags;
}

/** The user's files as the checker sees them. */
export interface CheckedProgram {
  /** A file by its path; undefined if there is none. */
  sourceFile(path: string): ts.SourceFile | undefined;
  /** The module that a specifier names in a file; undefined if there is none. */
  module(from: string, specifier: string): ts.SourceFile | undefined;
  /** The checker that knows all files that were asked for so far; undefined before the first. */
  readonly checker: ts.TypeChecker | undefined;
}

const runtimeRoot = "/.kubewright/";
const scalarModule = "@kubewright/runtime/api";

/** The module of the runtime that a path of the program stands for; undefined for other files. */
export function runtimeSpecifier(path: string): string | undefined {
  return path.startsWith(runtimeRoot) ? path.slice(runtimeRoot.length, -".d.ts".length) : undefined;
}

/**
 * Makes a program that reads through the run's own files. It is made with the first file that is asked for, and again
 * for one that nothing so far led to; each takes all that the run has read, so that few are made.
 */
export function createProgram(input: ProgramInput): CheckedProgram {
  const compiler = loadCompiler();
  const tagged = new Map<string, string | undefined>();
  const parsed = new Map<string, ts.SourceFile>();
  const roots = new Set<string>();
  const library = new Map(libraryFiles().map(({ fileName, text }) => [`${libraryRoot}${fileName}`, text]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ["lib.es2023.d.ts"],
    target: compiler.ScriptTarget.ES2022,
    module: compiler.ModuleKind.ESNext,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  };
  let program: ts.Program | undefined;
  let checker: ts.TypeChecker | undefined;

  /** A file without imports and exports would be global, and so known to all others. */
  function ownText(path: string): string | undefined {
    if (!tagged.has(path)) {
      const file = input.file(path);
      const text = input.textOf(path);
      const both = file && text !== undefined ? input.tags.tag(file, text) : undefined;
      tagged.set(path, both && `${both.text}\n${both.declarations}export {};\n`);
    }
    return tagged.get(path);
  }

  function textAt(path: string): string | undefined {
    const own = library.get(path);
    if (own !== undefined) return own;
    const specifier = runtimeSpecifier(path);
    if (specifier !== undefined) {
      const declared = input.declarations(specifier);
      return declared === undefined ? undefined : declared + (specifier === scalarModule ? runtimeScalars() : "");
    }
    return ownText(path);
  }

  function getSourceFile(path: string): ts.SourceFile | undefined {
    const shared = library.has(path) ? parsedLibrary : parsed;
    const known = shared.get(path);
    if (known) return known;
    const text = textAt(path);
    const file = text === undefined ? undefined : parseForChecker(compiler, path, text);
    if (file) shared.set(path, file);
    return file;
  }

  function locate(specifier: string, from: string): string | undefined {
    return specifier.startsWith("@kubewright/runtime")
      ? `${runtimeRoot}${specifier}.d.ts`
      : input.locate(from, specifier);
  }

  function resolve(specifier: string, from: string): ts.ResolvedModuleFull | undefined {
    const path = locate(specifier, from);
    if (path === undefined) return undefined;
    const extension = /(\.d)?\.[mc]?tsx?$/.exec(path)?.[0] ?? ".ts";
    return { resolvedFileName: path, extension, isExternalLibraryImport: false };
  }

  const host: ts.CompilerHost = {
    getSourceFile,
    fileExists: (path) => textAt(path) !== undefined,
    readFile: textAt,
    getDefaultLibFileName: () => `${libraryRoot}lib.es2023.d.ts`,
    getDefaultLibLocation: () => libraryRoot.slice(0, -1),
    writeFile: () => {},
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => ({ resolvedModule: resolve(text, from) })),
  };

  function grow(path: string): ts.SourceFile | undefined {
    if (textAt(path) === undefined) return undefined;
    for (const each of input.known()) roots.add(each);
    roots.add(path);
    program = compiler.createProgram({ rootNames: [...roots], options, host, oldProgram: program });
    // Names within a file are known once a checker has seen it.
    checker = program.getTypeChecker();
    return program.getSourceFile(path);
  }
  const sourceFile = (path: string) => program?.getSourceFile(path) ?? grow(path);
  return {
    sourceFile,
    module(from, specifier) {
      const path = locate(specifier, from);
      return path === undefined ? undefined : sourceFile(path);
    },
    get checker() {
      return checker;
    },
  };
}

/** Parses a file in the way that all files of a program have to be. */
export function parseForChecker(compiler: typeof ts, path: string, text: string): ts.SourceFile {
  const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
  const languageVersion = compiler.ScriptTarget.ES2022;
  return compiler.createSourceFile(path, text, { languageVersion, jsDocParsingMode }, true);
}

/** The library's files once parsed: they are the same for all programs. */
const parsedLibrary = new Map<string, ts.SourceFile>();

const libraryRoot = posix.join(runtimeRoot, "lib/");

/** The declarations of JavaScript itself, which ts-morph carries within its own code. */
export function libraryFiles(): readonly { readonly fileName: string; readonly text: string }[] {
  const require = createRequire(createRequire(import.meta.url).resolve("ts-morph"));
  return (require("@ts-morph/common") as { getLibFiles(): { fileName: string; text: string }[] }).getLibFiles();
}
