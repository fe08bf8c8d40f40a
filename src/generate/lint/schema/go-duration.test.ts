import { parseDuration } from "@kubewright/runtime";
import { expect, it } from "vitest";
import { seededNumbers } from "../../../../scripts/test-support/random.ts";
import { isGoDuration } from "./go-duration.ts";

function runtimeAccepts(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}

it.each([
  ["0", true],
  ["-0", true],
  ["+5m", true],
  ["1h30m", true],
  ["-1.5s", true],
  [".5h", true],
  ["1.h", true],
  ["1µs1μs1us", true],
  ["3m3m", true],
  ["2540400h10m10.000000000s", true],
  ["9223372036854775807ns", true],
  ["9223372036854775808ns", false],
  ["9223372036.854775807s", true],
  ["9223372036.854775808s", false],
  ["2562048h", false],
  ["", false],
  ["+", false],
  ["0.0", false],
  ["3", false],
  ["-.s", false],
  ["1x", false],
  ["1e3s", false],
  ["1h-5m", false],
  ["1h 5m", false],
  ["1s\n", false],
  ["١s", false],
])("%j: %s, as in the runtime", (text, isDuration) => {
  expect([isGoDuration(text), runtimeAccepts(text)]).toEqual([isDuration, isDuration]);
});

it("agrees with the runtime for random strings", () => {
  const numbers = ["0", "1", "9223372036", "854775807", "."];
  const units = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];
  const pieces = [...numbers, ...numbers, ...units, "+", "-", " ", "e", "x"];
  const random = seededNumbers(20_261_122);
  const texts = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join(""),
  );
  expect(texts.filter((text) => isGoDuration(text) !== runtimeAccepts(text))).toEqual([]);
  expect(texts.filter(isGoDuration).length).toBeGreaterThan(500);
});
