import { createCompilerLocate } from "./compiler-locate.ts";
import { disk, type Files } from "./files.ts";
import { type KnownTypes, nothingKnown } from "./known-types.ts";
import { createLocate } from "./locate.ts";
import { mergeDeclarations } from "./merge-declarations.ts";
import type { Bindings, Declaration, SourceFile, Target, TypeExpr } from "./model.ts";
import type { Checked, Checker, SourceReader } from "./reader.ts";
import { type Modules, type Resolved, resolveTarget } from "./resolve.ts";

/** The files of a run; each is read once, on demand. */
export interface Sources {
  /** Returns the file at an absolute path; undefined if there is none. */
  file(path: string): SourceFile | undefined;
  /** Resolves a name as a type, or as a constant. */
  resolve(target: Target, space?: "type" | "value"): Resolved;
  /**
   * Reads the packages of a run. Must be called first, because it adds their declarations for other modules (`declare module
   * "…"`).
   */
  prepare(directories: readonly string[]): void;
  /** Returns the text of the file at an absolute path; undefined if there is none. */
  textOf(path: string): string | undefined;
  /** Returns the source files of a directory. */
  inDirectory(directory: string): SourceFile[];
  /** Returns the type checker's result for an expression that syntax alone can't resolve. */
  check(expr: TypeExpr, scope: Bindings): Checked;
  /** All files read so far. */
  readonly files: Iterable<SourceFile>;
  /** The files that each file has used so far: those whose declarations its own refer to. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Creates the files of a run, which are read with a reader. */
export function createSources(
  reader: SourceReader,
  from: Files = disk,
  knownTypes: KnownTypes = nothingKnown,
): Sources {
  const files = new Map<string, SourceFile>();
  const texts = new Map<string, string>();
  const unmerged = new Map<string, SourceFile>();
  /** Declarations that other files add to a file. */
  const additions = new Map<string, readonly Declaration[]>();
  const absent = new Set<string>();
  const dependencies = new Map<string, Set<string>>();
  const find = createLocate(from, createCompilerLocate(from));
  function locate(user: string, specifier: string): string | undefined {
    const used = find(user, specifier);
    if (used !== undefined) addDependency(user, used);
    return used;
  }
  function addDependency(user: string, used: string): void {
    const all = dependencies.get(user) ?? new Set();
    dependencies.set(user, all.add(used));
  }
  const modules: Modules = { file, locate, isKnown: knownTypes.has };
  const resolve = (target: Target, space: "type" | "value" = "type") => resolveTarget(target, space, modules);
  let checker: Checker | undefined;
  function file(path: string): SourceFile | undefined {
    const before = files.get(path);
    if (before || absent.has(path)) return before;
    // A file that was listed and then removed was already read, with an error.
    if (!unmerged.has(path) && !from.isFile(path)) {
      absent.add(path);
      return undefined;
    }
    const read = raw(path);
    const added = additions.get(path) ?? [];
    const whole = added.length === 0 ? read : { ...read, declarations: [...read.declarations, ...added] };
    const merged = mergeDeclarations(whole);
    files.set(path, merged);
    return merged;
  }
  function raw(path: string): SourceFile {
    const before = unmerged.get(path);
    if (before) return before;
    const read = readOne(path);
    unmerged.set(path, read);
    return read;
  }
  function readOne(path: string): SourceFile {
    try {
      const text = from.read(path).replace(/^\uFEFF/, "");
      texts.set(path, text);
      return isText(path, text) ? parse(reader, path, text) : unreadable(path, noText);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return unreadable(path, path.includes("\ufffd") ? noName : { ...failed, problem: message });
    }
  }
  function isText(path: string, text: string): boolean {
    return !text.includes("\0") && (!text.includes("\ufffd") || from.isUtf8(path));
  }
  function prepare(directories: readonly string[]): void {
    for (const path of directories.flatMap((directory) => from.sourceFiles(directory))) {
      for (const { specifier, declarations } of raw(path).augmentations ?? []) {
        const target = locate(path, specifier);
        if (target === undefined) continue;
        additions.set(target, [...(additions.get(target) ?? []), ...declarations]);
        addDependency(target, path);
      }
    }
  }
  const textOf = (path: string) => (file(path) ? texts.get(path) : undefined);
  return {
    file,
    textOf,
    prepare,
    dependencies,
    inDirectory: (directory) => from.sourceFiles(directory).flatMap((path) => file(path) ?? []),
    resolve,
    check(expr, scope) {
      checker ??= reader.createChecker({ known: () => files.keys(), file, textOf, resolve, locate, types: knownTypes });
      return checker.check(expr, scope);
    },
    get files() {
      return files.values();
    },
  };
}

/** Parses a file. Types are read recursively, so deeply nested types may overflow the stack. */
function parse(reader: SourceReader, path: string, text: string): SourceFile {
  try {
    return reader.parse(path, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unreadable(path, tooDeep);
  }
}

const tooDeep = { problem: "its types are nested too deeply", hint: "declare inner types as named types" };
const noName = { problem: "its name is not UTF-8", hint: "rename it" };
const failed = { hint: "check that it exists, and its permissions" };
const noText = { problem: "it isn't valid UTF-8", hint: "save it as UTF-8, or remove it from the directory" };

/** Returns an empty file with an error that contains the reason. */
function unreadable(file: string, { problem, hint }: { readonly problem: string; readonly hint: string }): SourceFile {
  const message = `cannot read this file: ${problem}`;
  const diagnostics = [{ id: "syntax-error", severity: "error", message, file, line: 1, column: 1, hint }] as const;
  return { path: file, declarations: [], reExports: [], loose: [], diagnostics };
}
