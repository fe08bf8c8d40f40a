import { createRequire } from "node:module";
import type { ts } from "ts-morph";

/** What a program of the compiler reads, beside the declarations of JavaScript itself. */
export interface HostFiles {
  /** The text of a file; undefined if there is none. */
  readonly textAt: (path: string) => string | undefined;
  /** The file that a specifier names in a file; undefined if there is none. */
  readonly locate: (from: string, specifier: string) => string | undefined;
}

const libraryRoot = "/.kubewright/lib/";
const library = "lib.es2023.d.ts";

/** The library's files once parsed: they are the same for all programs. */
const parsedLibrary = new Map<string, ts.SourceFile>();

/** Whether a file declares JavaScript itself. */
export function isLibraryFile(path: string): boolean {
  return path.startsWith(libraryRoot);
}

/** How types are read, whatever the user's tsconfig.json says. */
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

/** A host that reads through the run's own files, and parses each of them once. */
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

/** Parses a file in the way that all files of a program have to be. */
export function parseForChecker(compiler: typeof ts, path: string, text: string): ts.SourceFile {
  const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
  const languageVersion = compiler.ScriptTarget.ES2022;
  return compiler.createSourceFile(path, text, { languageVersion, jsDocParsingMode }, true);
}

/** The declarations of JavaScript itself, which ts-morph carries within its own code. */
function libraryFiles(): readonly { readonly fileName: string; readonly text: string }[] {
  const require = createRequire(createRequire(import.meta.url).resolve("ts-morph"));
  return (require("@ts-morph/common") as { getLibFiles(): { fileName: string; text: string }[] }).getLibFiles();
}
