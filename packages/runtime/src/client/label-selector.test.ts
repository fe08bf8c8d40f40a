import { expect, it } from "vitest";
import { labelMatcher } from "./label-selector.ts";

const labels = { app: "game", tier: "gold" };

it.each<[string, boolean]>([
  ["app=game", true],
  ["app==game,tier=gold", true],
  ["app=other", false],
  ["app!=other", true],
  ["missing!=x", true],
  ["app in (game, other)", true],
  ["app in (other)", false],
  ["app notin (other)", true],
  ["missing notin (x)", true],
  ["tier", true],
  ["!tier", false],
  ["!missing,app in (a,game),tier", true],
  ["", true],
])("labelMatcher evaluates %j", (selector, expected) => {
  expect(labelMatcher(selector)(labels)).toBe(expected);
});

it("labelMatcher compares the entries of a plain object for equality", () => {
  expect(labelMatcher({ app: "game" })(labels)).toBe(true);
  expect(labelMatcher({ app: "game", x: "y" })(labels)).toBe(false);
  expect(labelMatcher({ app: "game" })(undefined)).toBe(false);
});

it.each([
  ["undefined", { app: undefined }],
  ["a value that isn't a valid label value", { app: "a b" }],
  ["a LabelSelector", { matchLabels: { app: "game" } }],
  ["a key that isn't a valid label key", { "a b": "c" }],
])("labelMatcher rejects %s, as live reads do", (_, selector) => {
  expect(() => labelMatcher(selector as unknown as Record<string, string>)).toThrow(TypeError);
});

it.each([
  ["app in game", '"game" found, an opening parenthesis expected'],
  ["app game", '"game" found, an operator (=, ==, !=, in, notin, >, <) expected'],
  ["app=a b", '"b" found, a comma or the end expected'],
  ["app,", "the end found, a label key expected"],
  ["a b/c/d", '"b/c/d" found, an operator'],
  ["-app", '"-app" isn\'t a valid label key'],
  ["app=-", '"-" isn\'t a valid label value'],
  ["app>five", '"five" after > must be an integer'],
])("labelMatcher rejects %j, as the API server does", (selector, rule) => {
  expect(() => labelMatcher(selector)).toThrow(`invalid label selector ${JSON.stringify(selector)}: ${rule}`);
});

it("labelMatcher ignores properties of the prototype of labels", () => {
  expect([labelMatcher("constructor")(labels), labelMatcher("!toString")(labels)]).toEqual([false, true]);
});
