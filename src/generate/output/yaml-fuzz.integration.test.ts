import { load } from "js-yaml";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { toYaml } from "./yaml.ts";

// More rounds with KUBEWRIGHT_FUZZ=100 (a factor); the seed is fixed, so a failure can be repeated.
const rounds = 1500 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);

const random = seededNumbers(4711);
const pick = <T>(values: readonly T[]) => values[random(values.length)]!;

const words = `a b Ready it's "quoted" key:value x, end. e.g. #1 --flag --- ... - ? : ' " \\ | > & * ! % @ { } [ ] , =
  yes no on off y n null ~ true 1 08 0x1F 1e3 .5 1_000 12:30 2001-01-01 .inf é 日本語 😀 https://example.com/a/long/path/segment
  internationalization configuration`.split(/\s+/);
// No `<<`, which the reference leaves unquoted even as a key, where readers merge it.
// No U+2028 and U+2029: they are line breaks to YAML 1.1, as the reference writes it, and text to these readers.
const gaps = [" ", " ", " ", " ", "  ", "", "\n", "\n\n", ": ", " #", "\t", "\u00a0", "\r", "\u0000"];

function text(): string {
  const length = random(3) === 0 ? random(30) : random(4);
  return Array.from({ length }, () => pick(words) + pick(gaps)).join("") + (random(2) === 0 ? pick(words) : "");
}

function value(depth: number): unknown {
  const kind = random(depth > 0 ? 9 : 5);
  if (kind < 3) return text();
  if (kind === 3) return pick([true, false, null, 0, -1, 1.5, 1e21, 5e-324, 123456789.25, 2 ** 53]);
  if (kind === 4) return random(1_000_000) / 2 ** random(30);
  if (kind < 7) return Array.from({ length: random(4) }, () => value(depth - 1));
  return map(depth - 1);
}

function map(depth: number): Record<string, unknown> {
  // Number-like keys are moved to the front by JavaScript itself, which toEqual doesn't mind.
  return Object.fromEntries(
    Array.from({ length: random(6) }, () => [random(8) === 0 ? text() : pick(words), value(depth)]),
  );
}

test("what is written reads back as it was", () => {
  for (let round = 0; round < rounds; round++) {
    const document = map(3);
    const result = toYaml(document);
    if ("problem" in result) throw new Error(`${result.problem}: ${JSON.stringify(document)}`);
    const readers = { "js-yaml": load(result.text), yaml: parse(result.text, { version: "1.1", merge: false }) };
    for (const [name, read] of Object.entries(readers)) {
      expect(read, `${name}: ${JSON.stringify(document)}\n${result.text}`).toEqual(document);
    }
  }
});

test("anything at all gives a text or a problem", () => {
  const odd = [
    undefined,
    () => 1,
    Symbol("s"),
    Number.NaN,
    "\ud800",
    "\u007f",
    10n ** 30n,
    new Date(Number.NaN),
    [undefined],
  ];
  for (const each of odd) expect(Object.keys(toYaml({ each }))).toHaveLength(1);
  for (const each of odd) expect(Object.keys(toYaml(each))).toHaveLength(1);
});
