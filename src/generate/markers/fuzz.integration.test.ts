import { expect, test } from "vitest";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { collectMarkers, markerRegistry } from "./index.ts";
import { misread, nearMarker, pieces, randomBytes } from "./test-support/fuzz.ts";

// More rounds with KUBEWRIGHT_FUZZ=100 (a factor); the seed is fixed, so a failure can be repeated.
const rounds = 3000 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);
const names = markerRegistry.definitions.map((definition) => definition.name);

test.each([nearMarker, randomBytes])(
  "no text makes the parser throw, hang or point outside of its line: %o",
  (make) => {
    const random = seededNumbers(20_260);
    for (let round = 0; round < rounds; round++) expect(misread(make(random), random)).toBeUndefined();
  },
);

test("a marker is read the same whatever stands around it", () => {
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
