import { readFileSync, statSync } from "node:fs";
import type { SourceFile, SourceReader, Target } from "./model.ts";
import { type Resolved, resolveTarget } from "./resolve.ts";

/** The files of a run, each read once when first asked for. */
export interface Sources {
  /** The file at an absolute path; undefined if there is none. */
  file(path: string): SourceFile | undefined;
  /** What a name stands for as a type, or as a constant. */
  resolve(target: Target, space?: "type" | "value"): Resolved;
  /** All files read so far. */
  readonly files: Iterable<SourceFile>;
}

/** Reads files from the disk through a reader. */
export function createSources(reader: SourceReader): Sources {
  const files = new Map<string, SourceFile>();
  const absent = new Set<string>();
  function file(path: string): SourceFile | undefined {
    const known = files.get(path);
    if (known || absent.has(path)) return known;
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
      absent.add(path);
      return undefined;
    }
    const read = reader.parse(path, readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    files.set(path, read);
    return read;
  }
  return {
    file,
    resolve: (target, space = "type") => resolveTarget(target, space, file),
    get files() {
      return files.values();
    },
  };
}
