import type { Level } from "../../diagnostics/collector.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** The values of `--unknown-markers`. */
export type UnknownMarkers = "error" | "warn" | "ignore";

/** Ids of the diagnostics for lines that look like markers but aren't read as markers. */
const IDS: readonly string[] = [
  "unknown-marker",
  "misplaced-marker",
  "unread-marker",
  "blank-in-marker",
  "near-miss-marker",
];

/** Returns the severities for `--unknown-markers`, by id; with `error` each diagnostic keeps its own. */
export function unknownMarkerLevels(wanted: UnknownMarkers): Readonly<Record<string, Level>> {
  if (wanted === "error") return {};
  const level = wanted === "warn" ? "warning" : "off";
  return Object.fromEntries(IDS.map((id) => [id, level]));
}

/** Changes a finding about a line that isn't read as a marker to a warning; returns others unchanged. */
export function withUnknownAsWarning(diagnostic: Diagnostic): Diagnostic {
  return IDS.includes(diagnostic.id) ? { ...diagnostic, severity: "warning" } : diagnostic;
}
