import { load } from "js-yaml";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { toYaml } from "./yaml.ts";

// KUBEWRIGHT_FUZZ=100 multiplies the rounds by 100. The seed is fixed, to make failures reproducible.
const rounds = 500 * Number(process.env.KUBEWRIGHT_FUZZ ?? 1);

const random = seededNumbers(4711);
const pick = <T>(values: readonly T[]) => values[random(values.length)]!;

const words = `a b Ready it's "quoted" key:value x, end. e.g. #1 --flag --- ... - ? : ' " \\ | > & * ! % @ { } [ ] , =
  yes no on off y n null ~ true 1 08 0x1F 1e3 .5 1_000 12:30 2001-01-01 .inf é 日本語 😀 https://example.com/a/long/path/segment
  internationalization configuration`.split(/\s+/);
// Not `<<`: controller-gen doesn't quote it even as a key, and readers merge it.
// Not U+2028 and U+2029: they are line breaks in YAML 1.1, as controller-gen writes it, but text for these readers.
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
  // JavaScript moves number-like keys to the front, which toEqual ignores.
  return Object.fromEntries(
    Array.from({ length: random(6) }, () => [random(8) === 0 ? text() : pick(words), value(depth)]),
  );
}

test("toYaml returns text that readers parse to the same value", () => {
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

test("toYaml returns a text or a problem for any value", () => {
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
  for (const text of odd) expect(Object.keys(toYaml(text))).toHaveLength(1);
});
