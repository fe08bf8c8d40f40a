const marker = /^(\s*\/\/ \+kubebuilder:rbac:.*?)(?:,namespace=[^,\s]+)?$/;

const stemOf = (line: string): string | undefined => marker.exec(line)?.[1];
const markersOf = (text: string): string[] => text.split("\n").filter((line) => stemOf(line) !== undefined);

/** What becomes of the markers for rights of a file when its controller gets namespaces, or has them no longer. */
export interface MarkerScope {
  /** A text with the scaffolded markers as they will be. Line by line: markers of the user's right below them are no conflict. */
  readonly rescope: (text: string) => string;
  /** Whether others of the text's markers stay as they are, though scaffolded ones change. */
  readonly leavesOthers: (text: string) => boolean;
}

/** @param old the text as it was scaffolded @param will as it would be scaffolded now */
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
