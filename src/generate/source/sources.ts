import { disk, type Files } from "./files.ts";
import type { SourceFile, SourceReader, Target } from "./model.ts";
import { type Resolved, resolveTarget } from "./resolve.ts";

/** The files of a run, each read once when first asked for. */
export interface Sources {
  /** The file at an absolute path; undefined if there is none. */
  file(path: string): SourceFile | undefined;
  /** What a name stands for as a type, or as a constant. */
  resolve(target: Target, space?: "type" | "value"): Resolved;
  /** The source files of a directory. */
  inDirectory(directory: string): SourceFile[];
  /** All files read so far. */
  readonly files: Iterable<SourceFile>;
}

/** Reads files through a reader. */
export function createSources(reader: SourceReader, from: Files = disk): Sources {
  const files = new Map<string, SourceFile>();
  const absent = new Set<string>();
  function file(path: string): SourceFile | undefined {
    const known = files.get(path);
    if (known || absent.has(path)) return known;
    if (!from.isFile(path)) {
      absent.add(path);
      return undefined;
    }
    const read = reader.parse(path, from.read(path).replace(/^\uFEFF/, ""));
    files.set(path, read);
    return read;
  }
  return {
    file,
    inDirectory: (directory) => from.sourceFiles(directory).flatMap((path) => file(path) ?? []),
    resolve: (target, space = "type") => resolveTarget(target, space, file),
    get files() {
      return files.values();
    },
  };
}
