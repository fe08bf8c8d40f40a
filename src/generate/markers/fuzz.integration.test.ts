import { expect, test } from "vitest";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { collectMarkers, markerRegistry } from "./index.ts";
import { misread, nearMarker, pieces, randomBytes } from "./test-support/fuzz.ts";

// KUBEWRIGHT_FUZZ=100 multiplies the rounds by 100. The seed is fixed, to make failures reproducible.
const rounds = 1000 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);
const names = markerRegistry.definitions.map((definition) => definition.name);

test.each([nearMarker, randomBytes])(
  "the parser reads random text in time, without an exception, and with valid positions: %o",
  (make) => {
    const random = seededNumbers(20_260);
    for (let round = 0; round < rounds; round++) expect(misread(make(random), random)).toBeUndefined();
  },
);

test("the parser reads a marker independently of the markers around it", () => {
  const random = seededNumbers(77);
  const pick = <T>(values: readonly T[]) => values[random(values.length)]!;
  const good = { text: "+kubebuilder:validation:MinLength=3", file: "/fuzz.ts", line: 2, column: 1 };
  for (let round = 0; round < rounds / 10; round++) {
    const text = `+${pick(names)}=${Array.from({ length: 5 }, () => pick(pieces)).join("")}`;
    const bad = { text, file: "/fuzz.ts", line: 1, column: 1 };
    const markers = collectMarkers([bad, good, bad], "field", markerRegistry, () => {});
    expect(markers.get("kubebuilder:validation:MinLength").some((marker) => marker.value === 3)).toBe(true);
  }
});
