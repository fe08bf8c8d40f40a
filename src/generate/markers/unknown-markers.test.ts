import { expect, test } from "vitest";
import { createCollector } from "../../diagnostics/collector.ts";
import { collectMarkers, markerRegistry, type UnknownMarkers, unknownMarkerLevels } from "./index.ts";

function severities(wanted: UnknownMarkers): string[] {
  const collector = createCollector({ levels: unknownMarkerLevels(wanted) });
  const lines = [
    "+kubebuilder:foo=1",
    "+versionName=v1",
    "+ nullable",
    "+optinal",
    "+kubebuilder:validation:MinLength=x",
  ];
  collectMarkers(
    lines.map((text, index) => ({ text, file: "/a.ts", line: index + 1, column: 1 })),
    "field",
    markerRegistry,
    collector.report,
  );
  return collector.all().map(({ id, severity }) => `${id} ${severity}`);
}

test("each finding has its own severity by default", () => {
  expect(severities("error")).toEqual([
    "unknown-marker error",
    "misplaced-marker error",
    "blank-in-marker error",
    "near-miss-marker warning",
    "invalid-marker error",
  ]);
});

test("warn and ignore reduce the severity of unknown markers, not of invalid ones", () => {
  expect(severities("warn")).toEqual([
    "unknown-marker warning",
    "misplaced-marker warning",
    "blank-in-marker warning",
    "near-miss-marker warning",
    "invalid-marker error",
  ]);
  expect(severities("ignore")).toEqual(["invalid-marker error"]);
});
