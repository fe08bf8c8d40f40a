import { createRequire } from "node:module";
import { posix } from "node:path";
import type { ts } from "ts-morph";
import type { SourceFile } from "../model.ts";
import { loadCompiler } from "./compiler.ts";
import { runtimeScalars, type Tags } from "./tags.ts";

/** What a program is made of. */
export interface ProgramInput {
  readonly file: (path: string) => SourceFile | undefined;
  readonly textOf: (path: string) => string | undefined;
  readonly locate: (from: string, specifier: string) => string | undefined;
  /** Declarations of a module of the runtime; undefined if it has none of this name. */
  readonly declarations: (specifier: string) => string | undefined;
  readonly tags: Tags;
}

/** The user's files as the checker sees them, with questions at their ends. */
export interface CheckedProgram {
  /** Puts text at the end of a file and gives the offset at which it begins. */
  append(path: string, text: string): number;
  /** A checker that knows all that was appended so far. */
  checker(): { readonly checker: ts.TypeChecker; readonly program: ts.Program };
}

const runtimeRoot = "/.kubewright/";
const scalarModule = "@kubewright/runtime/api";

/** The module of the runtime that a path of the program stands for; undefined for other files. */
export function runtimeSpecifier(path: string): string | undefined {
  return path.startsWith(runtimeRoot) ? path.slice(runtimeRoot.length, -".d.ts".length) : undefined;
}

/** Makes a program that reads through the run's own files and grows with the questions that are put to it. */
export function createProgram(input: ProgramInput): CheckedProgram {
  const compiler = loadCompiler();
  const tagged = new Map<string, string | undefined>();
  const appended = new Map<string, string>();
  const parsed = new Map<string, { text: string; file: ts.SourceFile }>();
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
    const text = ownText(path);
    return text === undefined ? undefined : text + (appended.get(path) ?? "");
  }

  function getSourceFile(path: string): ts.SourceFile | undefined {
    const text = textAt(path);
    if (text === undefined) return undefined;
    const shared = parsedLibrary.get(path);
    if (shared) return shared;
    const known = parsed.get(path);
    if (known?.text === text) return known.file;
    const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
    const file = compiler.createSourceFile(
      path,
      text,
      { languageVersion: compiler.ScriptTarget.ES2022, jsDocParsingMode },
      true,
    );
    if (library.has(path)) parsedLibrary.set(path, file);
    else parsed.set(path, { text, file });
    return file;
  }

  function resolve(specifier: string, from: string): ts.ResolvedModuleFull | undefined {
    const path = specifier.startsWith("@kubewright/runtime")
      ? `${runtimeRoot}${specifier}.d.ts`
      : input.locate(from, specifier);
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

  return {
    append(path, text) {
      const before = appended.get(path) ?? "";
      appended.set(path, before + text);
      return (ownText(path)?.length ?? 0) + before.length;
    },
    checker() {
      program = compiler.createProgram({ rootNames: [...appended.keys()], options, host, oldProgram: program });
      return { checker: program.getTypeChecker(), program };
    },
  };
}

/** The library's files once parsed: they are the same for all programs. */
const parsedLibrary = new Map<string, ts.SourceFile>();

const libraryRoot = posix.join(runtimeRoot, "lib/");

/** The declarations of JavaScript itself, which ts-morph carries within its own code. */
function libraryFiles(): readonly { readonly fileName: string; readonly text: string }[] {
  const require = createRequire(createRequire(import.meta.url).resolve("ts-morph"));
  return (require("@ts-morph/common") as { getLibFiles(): { fileName: string; text: string }[] }).getLibFiles();
}
