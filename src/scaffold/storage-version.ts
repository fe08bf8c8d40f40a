const marker = "// +kubebuilder:storageversion";

/** Whether a types file says that its version of a kind is the one that is stored. */
export function isStorageVersion(text: string): boolean {
  return /^\s*(\/\/|\*|\/\*\*)\s*\+kubebuilder:storageversion\s*(\*\/)?\s*$/m.test(text);
}

/**
 * Marks the kind of a types file as the version that is stored: a line below the kind's `+kubebuilder:object:root=true`.
 * Undefined when the file doesn't have the kind in the form in which it is scaffolded.
 */
export function markStorageVersion(text: string, kind: string): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(eol);
  const declared = lines.findIndex((line) => new RegExp(`^export (interface|type) ${kind}\\b`).test(line));
  const root = lines
    .slice(0, Math.max(0, declared))
    .findLastIndex((line) => /\+kubebuilder:object:root=true\s*$/.test(line));
  // Only comments may stand between: else it is the root marker of another kind.
  const between = lines.slice(root + 1, declared);
  if (root < 0 || between.some((line) => !/^\s*(\/\/.*|\/\*.*|\*.*)?$/.test(line))) return undefined;
  return [...lines.slice(0, root + 1), marker, ...lines.slice(root + 1)].join(eol);
}

/** Takes the marker out again, where it has a line of its own. */
export function unmarkStorageVersion(text: string): string {
  return text.replace(/^[ \t]*\/\/[ \t]*\+kubebuilder:storageversion[ \t]*\r?\n/m, "");
}

/** What to tell the user who has to do it by hand. */
export function storageVersionAdvice(file: string, kind: string): string {
  return `${kind} now has several versions, and one must be the storage version: put "${marker}" above it in ${file}`;
}
