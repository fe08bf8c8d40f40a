const marker = "// +kubebuilder:storageversion";

/** Whether a types file marks its version of a kind as the storage version. */
export function isStorageVersion(text: string): boolean {
  return /^\s*(\/\/|\*|\/\*\*)\s*\+kubebuilder:storageversion\s*(\*\/)?\s*$/m.test(text);
}

/**
 * Marks a kind as the storage version, on the line below its `+kubebuilder:object:root=true`. Returns undefined if the types
 * file doesn't have the scaffolded form.
 */
export function markStorageVersion(text: string, kind: string): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(eol);
  const declared = lines.findIndex((line) => new RegExp(`^export (interface|type) ${kind}\\b`).test(line));
  const root = lines
    .slice(0, Math.max(0, declared))
    .findLastIndex((line) => /\+kubebuilder:object:root=true\s*$/.test(line));
  // If anything but comments is between them, it is the root marker of another kind.
  const between = lines.slice(root + 1, declared);
  if (root < 0 || between.some((line) => !/^\s*(\/\/.*|\/\*.*|\*.*)?$/.test(line))) return undefined;
  return [...lines.slice(0, root + 1), marker, ...lines.slice(root + 1)].join(eol);
}

/** Removes the marker if it has a line of its own. */
export function unmarkStorageVersion(text: string): string {
  return text.replace(/^[ \t]*\/\/[ \t]*\+kubebuilder:storageversion[ \t]*\r?\n/m, "");
}

/** Returns the instructions for setting the marker by hand. */
export function storageVersionAdvice(file: string, kind: string): string {
  return `${kind} now has several versions, and one must be the storage version: put "${marker}" above it in ${file}`;
}
