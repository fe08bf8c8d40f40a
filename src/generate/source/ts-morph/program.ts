import type { ts } from "ts-morph";
import type { SourceFile } from "../model.ts";
import { loadCompiler } from "./compiler.ts";
import { createHost, programOptions } from "./compiler-host.ts";
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
  const roots = new Set<string>();
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
    const specifier = runtimeSpecifier(path);
    if (specifier !== undefined) {
      const declared = input.declarations(specifier);
      return declared === undefined ? undefined : declared + (specifier === scalarModule ? runtimeScalars() : "");
    }
    return ownText(path);
  }

  function locate(from: string, specifier: string): string | undefined {
    return specifier.startsWith("@kubewright/runtime")
      ? `${runtimeRoot}${specifier}.d.ts`
      : input.locate(from, specifier);
  }

  const options = programOptions(compiler);
  const host = createHost(compiler, { textAt, locate });

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
      const path = locate(from, specifier);
      return path === undefined ? undefined : sourceFile(path);
    },
    get checker() {
      return checker;
    },
  };
}
