const marker = "+kubebuilder:storageversion";

/** Whether a types file marks its version of a kind as the storage version. */
export function isStorageVersion(text: string, kind: string): boolean {
  return markerLine(text.split("\n"), kind) !== undefined;
}

/**
 * Marks a kind as the storage version: on the line below its `+kubebuilder:object:root=true`, or else above its comment. Returns
 * undefined if the file doesn't declare the kind.
 */
export function markStorageVersion(text: string, kind: string): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(eol);
  const { begin, declared } = commentsOf(lines, kind);
  if (declared < 0) return undefined;
  if (markerLine(lines, kind) !== undefined) return text;
  const root = lines.findIndex(
    (line, index) => index >= begin && index < declared && /^\s*\/\/\s*\+kubebuilder:object:root=true\s*$/.test(line),
  );
  let at = root + 1;
  if (root < 0) {
    at = declared;
    while (at > begin && lines[at - 1] !== "") at--;
  }
  return [...lines.slice(0, at), `// ${marker}`, ...lines.slice(at)].join(eol);
}

/** Removes the marker of a kind if it has a line of its own. */
export function unmarkStorageVersion(text: string, kind: string): string {
  const lines = text.split("\n");
  const at = markerLine(lines, kind);
  if (at === undefined || /\/\*\*|\*\//.test(lines[at] ?? "")) return text;
  return lines.filter((_, index) => index !== at).join("\n");
}

/** Returns the instructions for setting the marker by hand. */
export function storageVersionAdvice(file: string, kind: string): string {
  return `${kind} now has several versions, and one must be the storage version: put "// ${marker}" above it in ${file}`;
}

/** Returns the line of a kind's marker. */
function markerLine(lines: readonly string[], kind: string): number | undefined {
  const { begin, declared } = commentsOf(lines, kind);
  const markerIndex = lines.findIndex(
    (line, index) =>
      index >= begin &&
      index < declared &&
      /^\s*(\/\/|\*|\/\*\*)\s*\+kubebuilder:storageversion\s*(?:\*\/\s*)?$/.test(line),
  );
  return markerIndex < 0 ? undefined : markerIndex;
}

/** Returns the lines of the comments above a kind, and of its declaration: -1 without one. */
function commentsOf(lines: readonly string[], kind: string): { readonly begin: number; readonly declared: number } {
  const declared = lines.findIndex((line) => new RegExp(`^export (interface|type) ${kind}\\b`).test(line));
  let begin = Math.max(0, declared);
  // If anything but comments is between them, a marker belongs to another kind.
  while (begin > 0 && /^\s*(\/\/.*|\/\*.*|\*.*)?$/.test(lines[begin - 1] ?? "")) begin--;
  return { begin, declared };
}
