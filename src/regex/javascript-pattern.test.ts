import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { thorough } from "../../scripts/test-support/thorough.ts";
import { toJavaScript } from "./javascript-pattern.ts";

it.each([
  ["^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"],
  ["^(?:(?:[0-9]{1,3})\\.){3}[0-9]{1,3}$"],
  ["^[A-Za-z_][\\w.-]*$"],
  ["a|b{2,}?|\\d+"],
  ["^\\p{Lu}\\P{N}$"],
])("a pattern that means the same stays: %s", (pattern) => {
  expect(toJavaScript(pattern)).toBe(pattern);
});

it.each([
  ["^.*$", "^[^\\n]*$"],
  ["(?s)^.*$", "^[\\s\\S]*$"],
  ["\\s\\S", "[\\t\\n\\f\\r ][^\\t\\n\\f\\r ]"],
  ["\\Aa\\z", "^a$"],
  ["[[:alpha:]]", "[A-Za-z]"],
  ["[^[:alpha:]]", "[^A-Za-z]"],
  ["[]a]", "[\\]a]"],
  ["\\Qa.b\\E", "a\\.b"],
  ["\\x{1F600}", "😀"],
  ["\\pL", "\\p{L}"],
  ["\\p{^L}", "\\P{L}"],
  ["(?P<name>a)(?<other>b)", "(a)(b)"],
  ["(?i)ab(?-i)c", "[Aa][Bb]c"],
  ["(?i:k)s", "(?:[Kk\u212a])s"],
  ["^*a", "(?:^)*a"],
  ["a{,2}", "a\\{,2\\}"],
  ["\\-\\_\\/\\'", "-_/'"],
  ["\\07", "\\x07"],
  ["\\a", "\\x07"],
  ["[\\a\\n]", "[\\x07\\n]"],
])("%s becomes %s", (pattern, expected) => {
  expect(toJavaScript(pattern)).toBe(expected);
});

it.each([["(?m)^a$"], ["(?i)\\p{L}"]])("%s can't be translated", (pattern) => {
  expect(toJavaScript(pattern)).toBeUndefined();
});

/** Returns a generator of numbers below a limit, which is the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const parts = [
  ..."abkKsS.-_/]} ",
  "\\.",
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "\\b",
  "\\B",
  "^",
  "$",
  "\\A",
  "\\z",
  "[a-c]",
  "[^a-c]",
  "[\\s.]",
  "[^\\s]",
  "[\\w-]",
  "[]a-]",
  "[^]a]",
  "[[:alpha:]_]",
  "[[:^digit:]]",
  "[\\d\\-x]",
  "\\pL",
  "\\p{Greek}",
  "\\PN",
  "[\\p{Lu}k]",
  "\\Qa.\\E",
  "\\x41",
  "\\x{3b1}",
  "\\n",
  "α",
  "😀",
  "(?i)",
  "(?s)",
  "(?-s)",
  "|",
];
const characters = [..."abcKkSs.-_/]} 09AZ\n\r\t\v\u2028\u00a0αΑſ\u212a😀é{,"];

/** Returns a random pattern, which may be invalid. */
function randomPattern(next: (limit: number) => number, depth = 0): string {
  const count = 1 + next(4);
  let text = "";
  for (let index = 0; index < count; index++) {
    const group = depth < 2 && next(5) === 0;
    const open = ["(", "(?:", "(?i:", "(?s:", "(?P<n>"][next(5)] ?? "(";
    const part = group ? `${open}${randomPattern(next, depth + 1)})` : (parts[next(parts.length)] ?? "a");
    text += part + (["", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "*?"][next(10)] ?? "");
  }
  return text;
}

describe.runIf(thorough)("translated patterns", () => {
  it("match the same texts as Go, in JavaScript and in Go", () => {
    const next = numbers(56);
    let compared = 0;
    for (let round = 0; round < 3000; round++) {
      const pattern = randomPattern(next);
      let go: RE2JS;
      try {
        go = RE2JS.compile(pattern);
      } catch {
        continue;
      }
      const translated = toJavaScript(pattern);
      if (translated === undefined) continue;
      const [javascript, again] = [new RegExp(translated, "u"), RE2JS.compile(translated)];
      for (let count = 0; count < 12; count++) {
        const text = Array.from({ length: next(6) }, () => characters[next(characters.length)]).join("");
        const expected = go.matcher(text).find();
        const label = JSON.stringify({ pattern, translated, text });
        expect(javascript.test(text), label).toBe(expected);
        expect(again.matcher(text).find(), label).toBe(expected);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(20_000);
  });
});
