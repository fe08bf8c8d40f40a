import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { MarkerTarget } from "./definition.ts";
import { examineLine } from "./examine.ts";
import { type Marker, type MarkerLine, type MarkerValues, markerValues } from "./marker.ts";
import type { Registry } from "./registry.ts";

/**
 * Reads the markers that stand on one package, type or field. Each bad line gives one diagnostic and is left out; the
 * others are not touched by it. Lines that belong to other tools are passed over.
 */
export function collectMarkers(
  lines: readonly MarkerLine[],
  target: Exclude<MarkerTarget, "option">,
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): MarkerValues {
  const markers: Marker[] = [];
  for (const line of lines) {
    const { marker, diagnostics } = examineLine(line, target, registry);
    if (marker) markers.push(marker);
    for (const diagnostic of diagnostics) report(diagnostic);
  }
  return markerValues(markers);
}
