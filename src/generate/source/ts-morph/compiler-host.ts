import { createRequire } from "node:module";
import type { ts } from "ts-morph";

/** The files that a program of the compiler reads, except for the declarations of JavaScript itself. */
export interface HostFiles {
  /** Returns the text of a file; undefined if there is none. */
  readonly textAt: (path: string) => string | undefined;
  /** Returns the file that a specifier in a file refers to; undefined if there is none. */
  readonly locate: (from: string, specifier: string) => string | undefined;
}

const libraryRoot = "/.kubewright/lib/";
const library = "lib.es2023.d.ts";

/** The library's parsed files, which all programs share. */
const parsedLibrary = new Map<string, ts.SourceFile>();

/** Returns whether a file declares JavaScript itself. */
export function isLibraryFile(path: string): boolean {
  return path.startsWith(libraryRoot);
}

/** Returns the options for reading types, regardless of the user's tsconfig.json. */
export function programOptions(compiler: typeof ts): ts.CompilerOptions {
  return {
    strict: true,
    noEmit: true,
    types: [],
    lib: [library],
    target: compiler.ScriptTarget.ES2022,
    module: compiler.ModuleKind.ESNext,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  };
}

/** Creates a host that reads through the run's file access and parses each file once. */
export function createHost(compiler: typeof ts, { textAt, locate }: HostFiles): ts.CompilerHost {
  const declared = new Map(libraryFiles().map(({ fileName, text }) => [`${libraryRoot}${fileName}`, text]));
  const parsed = new Map<string, ts.SourceFile>();
  const read = (path: string) => declared.get(path) ?? textAt(path);
  return {
    getSourceFile(path) {
      const files = declared.has(path) ? parsedLibrary : parsed;
      const known = files.get(path);
      if (known) return known;
      const text = read(path);
      const file = text === undefined ? undefined : parseForChecker(compiler, path, text);
      if (file) files.set(path, file);
      return file;
    },
    fileExists: (path) => read(path) !== undefined,
    readFile: read,
    getDefaultLibFileName: () => `${libraryRoot}${library}`,
    getDefaultLibLocation: () => libraryRoot.slice(0, -1),
    writeFile: () => {},
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const path = locate(from, text);
        if (path === undefined) return { resolvedModule: undefined };
        const extension = /(\.d)?\.[mc]?tsx?$/.exec(path)?.[0] ?? ".ts";
        return { resolvedModule: { resolvedFileName: path, extension, isExternalLibraryImport: false } };
      }),
  };
}

/** Parses a file with the settings that all files of a program must have. */
export function parseForChecker(compiler: typeof ts, path: string, text: string): ts.SourceFile {
  const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
  const languageVersion = compiler.ScriptTarget.ES2022;
  return compiler.createSourceFile(path, text, { languageVersion, jsDocParsingMode }, true);
}

/** Returns the declarations of JavaScript itself, which are part of ts-morph's code. */
function libraryFiles(): readonly { readonly fileName: string; readonly text: string }[] {
  const require = createRequire(createRequire(import.meta.url).resolve("ts-morph"));
  return (require("@ts-morph/common") as { getLibFiles(): { fileName: string; text: string }[] }).getLibFiles();
}
