import { DurationError, parseDuration } from "@kubewright/cel/duration";
import { expect, it } from "vitest";
import { askOracle } from "./oracle.ts";
import { Random } from "./random.ts";

const count = 20_000;
const numbers = ["0", "1", "9223372036", "854775807", "9007199254740993", "333", "."];
const units = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];
const others = ["+", "-", " ", "e", "x", "é", '"', "\n", "\u0001", "1h"];
const pieces = [...numbers, ...numbers, ...numbers, ...units, ...units, ...others];

function answer(text: string): Record<string, unknown> {
  try {
    return { nanoseconds: String(parseDuration(text)) };
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return { error: error.message };
  }
}

it(`${count} durations have the value or the error of Go`, () => {
  const texts = Array.from({ length: count }, (_, index) => {
    const random = new Random(index * 7919 + 29);
    // Half of them have the form of durations.
    const part = index % 2 === 0 ? () => random.pick(pieces) : () => `${random.pick(numbers)}${random.pick(units)}`;
    return Array.from({ length: 1 + random.below(4) }, part).join("");
  });
  const answers = askOracle(texts.map((text) => ({ op: "duration", text })));
  const different = texts.flatMap((text, index) =>
    JSON.stringify(answer(text)) === JSON.stringify(answers[index]) ? [] : [[text, answer(text), answers[index]]],
  );
  expect(different).toEqual([]);
  expect(answers.filter(({ error }) => error === undefined).length).toBeGreaterThan(count / 10);
});
