import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { UNKNOWN_MARKER_IDS } from "./markers/examine.ts";
import type { GenerateRequest } from "./request.ts";

/** Collects diagnostics, each once, with the severities that the request asks for. */
export interface Reporter {
  report(diagnostic: Diagnostic): void;
  /** By file and place. */
  sorted(): Diagnostic[];
}

/** Makes a reporter for a run. */
export function createReporter(request: Pick<GenerateRequest, "unknownMarkers" | "strict">): Reporter {
  const seen = new Map<string, Diagnostic>();
  return {
    report(diagnostic) {
      const severity = severityOf(diagnostic, request);
      if (!severity) return;
      const { id, file, line, column, message } = diagnostic;
      const key = JSON.stringify([id, file, line, column, message]);
      if (!seen.has(key)) seen.set(key, Object.freeze({ ...diagnostic, severity }));
    },
    sorted: () =>
      [...seen.values()].sort(
        (a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1) || a.line - b.line || a.column - b.column,
      ),
  };
}

function severityOf(
  { id, severity }: Diagnostic,
  { unknownMarkers, strict }: Pick<GenerateRequest, "unknownMarkers" | "strict">,
): Diagnostic["severity"] | undefined {
  let result: Diagnostic["severity"] = severity;
  if (UNKNOWN_MARKER_IDS.includes(id)) {
    if (unknownMarkers === "ignore") return undefined;
    if (unknownMarkers === "warn") result = "warning";
  }
  return strict ? "error" : result;
}
