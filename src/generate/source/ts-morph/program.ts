import type { Project, ts } from "ts-morph";
import type { SourceFile } from "../model.ts";
import { createProject, type ProjectFiles } from "./project.ts";
import { runtimeScalars, type Tags } from "./tags.ts";

/** The input of a program. */
export interface ProgramInput {
  /** The paths of all files that the run has read so far. */
  readonly known: () => Iterable<string>;
  readonly file: (path: string) => SourceFile | undefined;
  readonly textOf: (path: string) => string | undefined;
  readonly locate: (from: string, specifier: string) => string | undefined;
  /** Returns the declarations of a module of the runtime; undefined if the module doesn't exist. */
  readonly declarations: (specifier: string) => string | undefined;
  readonly tags: Tags;
}

/** The user's files as the checker sees them. */
export interface CheckedProgram {
  /** Returns a file by its path; undefined if there is none. */
  sourceFile(path: string): ts.SourceFile | undefined;
  /** Returns the module that a specifier in a file refers to; undefined if there is none. */
  module(from: string, specifier: string): ts.SourceFile | undefined;
  /** The checker for all files that were requested so far; undefined before the first request. */
  readonly checker: ts.TypeChecker | undefined;
}

const runtimeRoot = "/.kubewright/";
const scalarModule = "@kubewright/runtime/api";

/** Returns the module of the runtime for a path in the program; undefined for other files. */
export function runtimeSpecifier(path: string): string | undefined {
  return path.startsWith(runtimeRoot) ? path.slice(runtimeRoot.length, -".d.ts".length) : undefined;
}

/** Opens the project for the files of a run. `known` are the paths of all files that the run has read so far. */
export type OpenProject = (files: ProjectFiles, paths: ReadonlySet<string>) => Project;

/**
 * Keeps a project between the runs of a session. It is replaced if a run has other files, because modules may be found in
 * other places then. Otherwise, files whose text has changed are parsed again.
 */
export function keepProject(): OpenProject {
  let kept: { readonly project: Project; readonly known: ReadonlySet<string> } | undefined;
  let current: ProjectFiles | undefined;
  const read = new Set<string>();

  function isCurrent(path: string, files: ProjectFiles, paths: ReadonlySet<string>): boolean {
    if (runtimeSpecifier(path) !== undefined) return true;
    return paths.has(path) && files.textAt(path) === kept?.project.getSourceFile(path)?.getFullText();
  }

  function update(files: ProjectFiles, paths: ReadonlySet<string>, project: Project): void {
    for (const path of read) {
      if (isCurrent(path, files, paths)) continue;
      const file = project.getSourceFile(path);
      if (file) project.removeSourceFile(file);
      read.delete(path);
    }
  }

  function textAt(path: string): string | undefined {
    const text = current?.textAt(path);
    if (text !== undefined) read.add(path);
    return text;
  }

  return (files, paths) => {
    current = files;
    if (kept && kept.known.size === paths.size && [...paths].every((path) => kept?.known.has(path))) {
      update(files, paths, kept.project);
      return kept.project;
    }
    read.clear();
    const project = createProject({ textAt, locate: (from, specifier) => current?.locate(from, specifier) });
    kept = { project, known: paths };
    return project;
  };
}

/**
 * Creates the program of a run. It is created for the first file that is requested, and again for a file that it doesn't
 * contain. Each program contains all files that the run has read, so that few programs are created.
 */
export function createProgram(input: ProgramInput, open: OpenProject = keepProject()): CheckedProgram {
  const tagged = new Map<string, string | undefined>();
  let project: Project | undefined;
  let program: ts.Program | undefined;
  let checker: ts.TypeChecker | undefined;

  /** Returns a file's text with tags. Adds an export, because a file without imports and exports would be global. */
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

  function grow(path: string): ts.SourceFile | undefined {
    if (textAt(path) === undefined) return undefined;
    const paths = new Set(input.known());
    project ??= open({ textAt, locate }, paths);
    for (const added of [...paths, path]) project.addSourceFileAtPathIfExists(added);
    program = project.getProgram().compilerObject;
    // Creating the checker binds the names in each file.
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
