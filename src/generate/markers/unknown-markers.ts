import type { Level } from "../../diagnostics/collector.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** The values of `--unknown-markers`. */
export type UnknownMarkers = "error" | "warn" | "ignore";

/** Ids of the diagnostics on lines that look like markers and aren't read as one. */
const IDS: readonly string[] = [
  "unknown-marker",
  "misplaced-marker",
  "unread-marker",
  "blank-in-marker",
  "near-miss-marker",
];

/** The severities, by id, that `--unknown-markers` asks for; with `error` each keeps its own. */
export function unknownMarkerLevels(wanted: UnknownMarkers): Readonly<Record<string, Level>> {
  if (wanted === "error") return {};
  const level = wanted === "warn" ? "warning" : "off";
  return Object.fromEntries(IDS.map((id) => [id, level]));
}

/** The same finding as a warning if it is on a line that isn't read as a marker; any other as it is. */
export function withUnknownAsWarning(found: Diagnostic): Diagnostic {
  return IDS.includes(found.id) ? { ...found, severity: "warning" } : found;
}
