import type { Diagnostic, Severity } from "./diagnostic.ts";

/** The configured level of a diagnostic. */
export type Level = Severity | "off";

/** Maximum length of a message or hint in UTF-16 code units, because they may quote megabytes of source. */
const longestText = 2000;

/** Determines the severity of diagnostics. The levels apply before `strict`. */
export interface DiagnosticPolicy {
  /** Levels by id, from `--unknown-markers` and PROJECT. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** Whether to treat the remaining warnings as errors. */
  readonly strict?: boolean;
}

type Place = Pick<Diagnostic, "file" | "line" | "column">;

/** Collects diagnostics, and returns them sorted by position. */
export interface DiagnosticCollector {
  /** Adds a diagnostic. Ignores duplicates. May be called without its object. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** Returns the diagnostics sorted by file, line and column, without those that are off. */
  all(): readonly Diagnostic[];
  /** Whether there is a diagnostic with severity `error`. */
  hasErrors(): boolean;
}

/** Creates a collector that applies a policy. */
export function createCollector(policy: DiagnosticPolicy = {}): DiagnosticCollector {
  const diagnostics = new Map<string, Diagnostic>();
  return {
    report(diagnostic) {
      const severity = weigh(diagnostic, policy);
      if (severity === "off") return;
      const { hint, ...rest } = diagnostic;
      const { id, file, line, column } = rest;
      const message = shortened(diagnostic.message);
      const key = JSON.stringify([file, line, column, id, message]);
      if (diagnostics.has(key)) return;
      const advice = hint === undefined ? {} : { hint: shortened(hint) };
      diagnostics.set(key, Object.freeze({ ...rest, message, ...advice, severity }));
    },
    all: () => [...diagnostics.values()].sort(byPosition),
    hasErrors: () => [...diagnostics.values()].some((diagnostic) => diagnostic.severity === "error"),
  };
}

function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

function weigh({ id, severity }: Diagnostic, { levels, strict }: DiagnosticPolicy): Level {
  const level = levels && Object.hasOwn(levels, id) ? levels[id]! : severity;
  return strict && level === "warning" ? "error" : level;
}

/** Compares positions by file, line and column. */
export function byPosition(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
