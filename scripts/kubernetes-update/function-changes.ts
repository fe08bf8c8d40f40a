// Differences between the functions of two releases, from their Go sources.

/**
 * Reads the functions and methods of a Go file that gofmt has formatted.
 *
 * @param source - the file
 * @returns their texts by name, without comments; those of methods are `Type.name`
 */
export function functionsOf(source: string): Map<string, string> {
  const functions = new Map<string, string>();
  for (const [text, receiver, name = ""] of source.matchAll(/^func (?:\(\w* ?\*?(\w+)[^)]*\) )?(\w+)[\s\S]*?^\}$/gm)) {
    const withoutComments = text.replaceAll(/^\s*\/\/.*\n/gm, "").replaceAll(/\s\/\/ .*$/gm, "");
    functions.set(receiver === undefined ? name : `${receiver}.${name}`, withoutComments);
  }
  return functions;
}

/**
 * Lists the functions that changed.
 *
 * @param before - the older file; undefined if it didn't exist
 * @param after - the newer file; undefined if it was removed
 * @returns one line per function that is new, changed or removed
 */
export function functionChanges(before: string | undefined, after: string | undefined): string[] {
  const [old, now] = [functionsOf(before ?? ""), functionsOf(after ?? "")];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    if (!old.has(name)) return [`${name}: new`];
    if (!now.has(name)) return [`${name}: removed`];
    return old.get(name) === now.get(name) ? [] : [`${name}: changed`];
  });
}
