const marker = /^(\s*\/\/ \+kubebuilder:rbac:.*?)(?:,namespace=[^,\s]+)?$/;

const stemOf = (line: string): string | undefined => marker.exec(line)?.[1];
const markersOf = (text: string): string[] => text.split("\n").filter((line) => stemOf(line) !== undefined);

/** Changes of a file's RBAC markers when its controller becomes namespaced or cluster-wide. */
export interface MarkerScope {
  /**
   * Returns a text with the scaffolded markers changed line by line, so that the user's markers below them cause no
   * conflict.
   */
  readonly rescope: (text: string) => string;
  /** Whether the text has other markers that stay unchanged although scaffolded ones change. */
  readonly leavesOthers: (text: string) => boolean;
}

/**
 * Compares the RBAC markers of two scaffolded texts.
 *
 * @param old the scaffolded text before the change
 * @param will the scaffolded text after the change
 */
export function markerScope(old: string, will: string): MarkerScope {
  const lines = new Map(markersOf(will).map((line) => [stemOf(line), line]));
  const changed = new Map(
    markersOf(old).flatMap((line) => {
      const next = lines.get(stemOf(line));
      return next === undefined || next === line ? [] : [[line, next] as const];
    }),
  );
  return {
    rescope: (text) =>
      changed.size === 0
        ? text
        : text
            .split("\n")
            .map((line) => changed.get(line) ?? line)
            .join("\n"),
    leavesOthers: (text) => changed.size > 0 && markersOf(text).some((line) => !changed.has(line)),
  };
}
