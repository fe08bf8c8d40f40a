import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { type Marker, type MarkerLine, type MarkerValues, markerValues } from "./marker.ts";
import type { MarkerTarget } from "./model/definition.ts";
import { parseMarkerLine } from "./parse-line.ts";
import type { Registry } from "./registry.ts";

/**
 * Parses the markers of a package, type or field. Each invalid line results in one diagnostic and is skipped. Lines of
 * other tools are ignored.
 */
export function collectMarkers(
  lines: readonly MarkerLine[],
  target: Exclude<MarkerTarget, "option">,
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): MarkerValues {
  const markers: Marker[] = [];
  for (const line of lines) {
    const { marker, diagnostics } = parseMarkerLine(line, target, registry);
    if (marker) markers.push(marker);
    for (const diagnostic of diagnostics) report(diagnostic);
  }
  return markerValues(markers);
}
