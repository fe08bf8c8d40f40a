import { expect, test } from "vitest";
import { collectMarkers, markerRegistry } from "./index.ts";

// More rounds with KUBEWRIGHT_FUZZ=100 (a factor); the seed is fixed, so a failure can be repeated.
const rounds = 3000 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

const pieces = [
  ..."+:=,;{}[]\"'`\\ \t.-_#/0123456789aeExXob",
  ":=",
  "true",
  "null",
  "0x1",
  "08",
  "1_0",
  "\\n",
  "\\x4",
  "\\u00e9",
  "é",
  "日本",
  "😀",
  "\ud800",
  "\ufeff",
  "\0",
  "*/",
  "kubebuilder:",
  "k8s:",
  "validation:",
  "name",
];
const names = markerRegistry.definitions.map((definition) => definition.name);
const argumentNames = markerRegistry.definitions.flatMap((definition) => definition.fields.map((field) => field.name));

test("no text makes the parser throw, hang or point outside of its line", () => {
  const random = generator(20_260);
  const pick = <T>(values: readonly T[]) => values[random(values.length)]!;
  const targets = ["package", "type", "field"] as const;
  for (let round = 0; round < rounds; round++) {
    const start = random(4) === 0 ? "" : pick(names) + pick([":", "=", ":=", "", " = "]);
    const tail = Array.from({ length: random(14) }, () => (random(6) === 0 ? `${pick(argumentNames)}=` : pick(pieces)));
    const text = `+${start}${tail.join("")}`;
    const line = { text, file: "/fuzz.ts", line: 1, column: 5 };
    const target = pick(targets);
    collectMarkers([line], target, markerRegistry, ({ column, message }) => {
      expect(column, text).toBeGreaterThanOrEqual(5);
      expect(column, text).toBeLessThanOrEqual(5 + text.length);
      expect(message).not.toBe("");
    });
  }
});

test("a marker is read the same whatever stands around it", () => {
  const random = generator(77);
  const pick = <T>(values: readonly T[]) => values[random(values.length)]!;
  const good = { text: "+kubebuilder:validation:MinLength=3", file: "/fuzz.ts", line: 2, column: 1 };
  for (let round = 0; round < rounds / 10; round++) {
    const text = `+${pick(names)}=${Array.from({ length: 5 }, () => pick(pieces)).join("")}`;
    const bad = { text, file: "/fuzz.ts", line: 1, column: 1 };
    const markers = collectMarkers([bad, good, bad], "field", markerRegistry, () => {});
    expect(markers.get("kubebuilder:validation:MinLength").some((marker) => marker.value === 3)).toBe(true);
  }
});
