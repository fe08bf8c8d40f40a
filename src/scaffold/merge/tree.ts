import { mergeFile, type Versions } from "./file.ts";
import { hasConflict } from "./text.ts";

/** The versions of a file that are merged, each undefined if it doesn't exist. */
export interface FileVersions {
  readonly path: string;
  /** The current path of the user's file, if it moves to `path`. */
  readonly from?: string;
  /** The text that was scaffolded. */
  readonly base: string | undefined;
  /** The user's version. */
  readonly yours: string | undefined;
  /** The text that would be scaffolded now. */
  readonly next: string | undefined;
  /** The same texts in the format of the project, which are merged. `copies` gets `next`. */
  readonly formatted?: Versions;
}

/** The result of a three-way merge of files. */
export interface MergedTree {
  /** The new texts of files, including those that don't change. */
  readonly contents: Map<string, string>;
  /** Files to remove: they are no longer scaffolded and have no changes, or they move. */
  readonly gone: Set<string>;
  /** The user's files that existed before they were scaffolded. They stay as they are. */
  readonly kept: string[];
  /** Files that are no longer scaffolded, but stay because the user has changed them. */
  readonly left: string[];
  /** Files with conflict markers. */
  readonly conflicts: string[];
  /** The texts to compare the user's files with in the next merge. */
  readonly copies: Map<string, string>;
  /** Files that are no longer scaffolded. */
  readonly obsolete: Set<string>;
}

/** How to merge files. */
export interface MergeOptions {
  /** Merges YAML key by key. */
  readonly yamlByKey?: boolean;
  /** Also merges into files with unresolved conflicts. The default leaves them until the conflicts are resolved. */
  readonly intoConflicts?: boolean;
}

/**
 * Merges the changes of the templates into the user's files. Files that the user didn't change are replaced, changed ones
 * are merged, and deleted ones stay deleted. Files that the user created before they were scaffolded stay as they are.
 */
export function mergeTree(files: Iterable<FileVersions>, options: MergeOptions = {}): MergedTree {
  const [contents, copies] = [new Map<string, string>(), new Map<string, string>()];
  const [gone, obsolete] = [new Set<string>(), new Set<string>()];
  const [kept, left, conflicts]: [string[], string[], string[]] = [[], [], []];
  for (const { path, from = path, base, yours, next, formatted } of files) {
    if (next === undefined) {
      if (base === undefined) continue;
      obsolete.add(from);
      if (yours === base) gone.add(from);
      else if (yours !== undefined) left.push(from);
      continue;
    }
    if (yours !== undefined && options.intoConflicts !== true && hasConflict(yours)) {
      conflicts.push(path);
      continue;
    }
    if (base === undefined && yours !== undefined && yours !== next) {
      kept.push(path);
      continue;
    }
    copies.set(path, next);
    if (yours === undefined) {
      if (base === undefined) contents.set(path, next);
      continue;
    }
    const merged =
      formatted !== undefined && formatted.base === formatted.next
        ? { text: yours, conflicts: 0 }
        : mergeFile(path, formatted ?? { base: base ?? next, yours, next }, options);
    if (merged.conflicts > 0) conflicts.push(path);
    contents.set(path, merged.text);
    if (from !== path) gone.add(from);
  }
  return { contents, gone, kept, left, conflicts, copies, obsolete };
}

/** Returns the note about a file in {@link MergedTree.left}. */
export function noteOfLeft(path: string): string {
  return `${path} is no longer scaffolded: it is kept, because it has your changes`;
}
