// Limits for YAML and JSON texts from untrusted sources. Real manifests stay far below each limit.

/** Maximum length of a text, in bytes: the API server accepts requests of 3 MiB, and a bundle has a few large objects. */
export const maxTextBytes = 16 * 1024 * 1024;
/** Maximum length of a text that is edited in place, in bytes: its syntax tree takes a hundred times as much memory. */
export const maxEditedBytes = 8 * 1024 * 1024;
/**
 * Maximum length of the report of a simulation, in bytes: a finding of an operator that never stops writing has a megabyte, and
 * more with a higher `maxSteps`.
 */
export const maxReportBytes = 256 * 1024 * 1024;
/** Maximum number of documents in one text: the largest bundles of operators have a few hundred. */
export const maxDocuments = 10_000;
/** Maximum nesting depth; schemas of real definitions are less than half as deep. */
export const maxDepth = 100;
/** Maximum number of values that aliases may add to a text, counting each repetition. */
export const maxAliasedValues = 10_000;

/** An invalid or too expensive text. The message is one line with the reason. */
export class YamlError extends Error {
  override readonly name = "YamlError";
}

/** Rejects a text that is too long. */
export function checkSize(text: string, most = maxTextBytes): void {
  // A UTF-16 unit takes between one and three bytes.
  if (text.length * 3 <= most) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw new YamlError(`it has ${bytes} bytes, and the limit is ${most}`);
}

/**
 * Rejects values that contain themselves, are too deeply nested, or repeat too much through aliases. Visits a shared value
 * only once, so the time is linear in the length of the text.
 *
 * @param documents the values that a parser returned for the text
 */
export function checkValues(documents: readonly unknown[]): void {
  if (documents.length > maxDocuments) {
    throw new YamlError(`it has ${documents.length} documents, and the limit is ${maxDocuments}`);
  }
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let distinct = 0;
  const sizeOf = (value: unknown, depth: number): number => {
    if (typeof value !== "object" || value === null) {
      distinct++;
      return 1;
    }
    if (open.has(value)) throw new YamlError("an alias makes a value contain itself");
    const cached = sizes.get(value);
    if (cached !== undefined) return cached;
    if (depth > maxDepth) throw new YamlError(`its values nest deeper than ${maxDepth} levels`);
    distinct++;
    open.add(value);
    let size = 1;
    for (const inner of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(inner, depth + 1);
    open.delete(value);
    sizes.set(value, size);
    return size;
  };
  let total = 0;
  for (const document of documents) total += sizeOf(document, 0);
  if (total - distinct > maxAliasedValues) {
    throw new YamlError(`its aliases repeat more than ${maxAliasedValues} values`);
  }
}
