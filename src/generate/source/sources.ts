import { disk, type Files } from "./files.ts";
import { type KnownTypes, nothingKnown } from "./known-types.ts";
import { createLocate } from "./locate.ts";
import { mergeDeclarations } from "./merge-declarations.ts";
import type { Bindings, SourceFile, SourceReader, Target, TypeExpr } from "./model.ts";
import { type Modules, type Resolved, resolveTarget } from "./resolve.ts";
import type { Checked } from "./ts-morph/check-context.ts";
import { createChecker } from "./ts-morph/checker.ts";
import { createCompilerLocate } from "./ts-morph/locate.ts";

/** The files of a run, each read once when first asked for. */
export interface Sources {
  /** The file at an absolute path; undefined if there is none. */
  file(path: string): SourceFile | undefined;
  /** What a name stands for as a type, or as a constant. */
  resolve(target: Target, space?: "type" | "value"): Resolved;
  /** The source files of a directory. */
  inDirectory(directory: string): SourceFile[];
  /** What TypeScript's type checker makes of an expression that syntax alone can't settle. */
  check(expr: TypeExpr, scope: Bindings): Checked;
  /** All files read so far. */
  readonly files: Iterable<SourceFile>;
}

/** Reads files through a reader. */
export function createSources(reader: SourceReader, from: Files = disk, known: KnownTypes = nothingKnown): Sources {
  const files = new Map<string, SourceFile>();
  const texts = new Map<string, string>();
  const absent = new Set<string>();
  const locate = createLocate(from, createCompilerLocate(from));
  const modules: Modules = { file, locate, isKnown: known.has };
  const resolve = (target: Target, space: "type" | "value" = "type") => resolveTarget(target, space, modules);
  let checker: ReturnType<typeof createChecker> | undefined;
  function file(path: string): SourceFile | undefined {
    const before = files.get(path);
    if (before || absent.has(path)) return before;
    if (!from.isFile(path)) {
      absent.add(path);
      return undefined;
    }
    const text = from.read(path).replace(/^\uFEFF/, "");
    const read = mergeDeclarations(parse(reader, path, text));
    texts.set(path, text);
    files.set(path, read);
    return read;
  }
  return {
    file,
    inDirectory: (directory) => from.sourceFiles(directory).flatMap((path) => file(path) ?? []),
    resolve,
    check(expr, scope) {
      const textOf = (path: string) => (file(path) ? texts.get(path) : undefined);
      checker ??= createChecker({ known: () => files.keys(), file, textOf, resolve, locate, types: known });
      return checker.check(expr, scope);
    },
    get files() {
      return files.values();
    },
  };
}

/** Reading goes as deep as types are nested, and a stack has an end. */
function parse(reader: SourceReader, path: string, text: string): SourceFile {
  try {
    return reader.parse(path, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = "cannot read this file: its types are nested too deeply";
    const hint = "give inner types names of their own";
    const diagnostics = [
      { id: "syntax-error", severity: "error", message, file: path, line: 1, column: 1, hint } as const,
    ];
    return { path, declarations: [], reExports: [], loose: [], diagnostics };
  }
}
