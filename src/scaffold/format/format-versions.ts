import { hasConflict } from "../merge/text.ts";
import type { FileVersions } from "../merge/tree.ts";
import { type Format, isCode } from "./format.ts";
import { isSameCode } from "./same-code.ts";

/**
 * Prepares code for a merge, so that the project's format causes no conflicts: a file that differs from the scaffolded one only
 * by its format counts as unchanged, and all versions of a changed file get the project's format.
 */
export async function formatVersions(files: Iterable<FileVersions>, format: Format): Promise<FileVersions[]> {
  const settled = [...files].map(withoutFormatChanges);
  const changed = settled.filter(isMerged);
  const texts = await format(
    changed.flatMap(({ path, base, yours, next }) => [base, yours, next].map((text = "") => ({ path, text }))),
  );
  const formatted = new Map(
    changed.map((file, index) => {
      const [base = "", yours = "", next = ""] = texts.slice(3 * index);
      return [file, { base, yours, next }];
    }),
  );
  return settled.map((file) => {
    const versions = formatted.get(file);
    return versions === undefined ? file : { ...file, formatted: versions };
  });
}

function withoutFormatChanges(file: FileVersions): FileVersions {
  const { path, base, yours, next } = file;
  if (!isCode(path) || base === undefined || yours === undefined || base === next) return file;
  if (next !== undefined && isSameCode(base, next)) return { ...file, base: next };
  return isSameCode(base, yours) ? { ...file, yours: base } : file;
}

/** Whether the file needs a merge of its lines. */
function isMerged({ path, base, yours, next }: FileVersions): boolean {
  const all = [base, yours, next];
  const isComplete = all.every((text) => text !== undefined && !hasConflict(text));
  return isCode(path) && isComplete && new Set(all).size === 3;
}
