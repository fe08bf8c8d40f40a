// What a YAML or JSON text of somebody else may cost. Real manifests stay far below each limit.

/** The longest text that is read, in bytes: the API server takes requests of 3 MiB, and a bundle holds a few large objects. */
export const maxTextBytes = 16 * 1024 * 1024;
/** The longest text that is edited in place, in bytes: its syntax tree takes a hundred times as much memory. */
export const maxEditedBytes = 8 * 1024 * 1024;
/** The most documents in one text: the largest bundles of operators have a few hundred. */
export const maxDocuments = 10_000;
/** The most values inside each other; schemas of real definitions nest less than half as deep. */
export const maxDepth = 100;
/** The most values that aliases may add to a text, counted as often as they are repeated. */
export const maxAliasedValues = 10_000;

/** A text that can't be read, with one line that gives the reason. */
export class YamlError extends Error {
  override readonly name = "YamlError";
}

/** Refuses a text that is too long. */
export function checkSize(text: string, most = maxTextBytes): void {
  // A character takes at least one byte and at most three per unit.
  if (text.length * 3 <= most) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw new YamlError(`it has ${bytes} bytes, and the limit is ${most}`);
}

/**
 * Refuses values that hold themselves, nest too deep or repeat too much by aliases. Takes time in proportion to the text, because
 * it looks at a shared value once.
 *
 * @param documents what a reader made of the text
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
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (depth > maxDepth) throw new YamlError(`its values nest deeper than ${maxDepth} levels`);
    distinct++;
    open.add(value);
    let size = 1;
    for (const each of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(each, depth + 1);
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
