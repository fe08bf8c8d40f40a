import type { Diagnostic, Severity } from "./diagnostic.ts";

/** What a diagnostic's id is turned to. */
export type Level = Severity | "off";

/** UTF-16 code units of a message or hint. What they quote from a source may have megabytes. */
const longestText = 2000;

/** How findings are weighed. Later rules win over earlier ones: id, then `--strict`. */
export interface DiagnosticPolicy {
  /** By id, as in `--unknown-markers` and in PROJECT. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** Makes errors of all warnings that are left. */
  readonly strict?: boolean;
}

type Place = Pick<Diagnostic, "file" | "line" | "column">;

/** Takes findings as they come and gives them back in the order of the files. */
export interface DiagnosticCollector {
  /** Can be handed on by itself. The same finding counts once. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Sorted by file, line, column; what is off is left out. */
  all(): readonly Diagnostic[];
  hasErrors(): boolean;
}

/** Makes a collector that weighs findings by a policy. */
export function createCollector(policy: DiagnosticPolicy = {}): DiagnosticCollector {
  const found = new Map<string, Diagnostic>();
  return {
    report(diagnostic) {
      const severity = weigh(diagnostic, policy);
      if (severity === "off") return;
      const { id, file, line, column } = diagnostic;
      const message = shortened(diagnostic.message);
      const key = JSON.stringify([file, line, column, id, message]);
      if (found.has(key)) return;
      const hint = diagnostic.hint === undefined ? {} : { hint: shortened(diagnostic.hint) };
      found.set(key, Object.freeze({ ...diagnostic, message, ...hint, severity }));
    },
    all: () => [...found.values()].sort(byPosition),
    hasErrors: () => [...found.values()].some((diagnostic) => diagnostic.severity === "error"),
  };
}

function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

function weigh({ id, severity }: Diagnostic, { levels, strict }: DiagnosticPolicy): Level {
  const level = levels && Object.hasOwn(levels, id) ? levels[id]! : severity;
  return strict && level === "warning" ? "error" : level;
}

/** The order of places: by file, line and column. */
export function byPosition(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
