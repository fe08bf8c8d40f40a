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
])("selector %j", (selector, expected) => {
  expect(labelMatcher(selector)(labels)).toBe(expected);
});

it("takes a plain object for equality", () => {
  expect(labelMatcher({ app: "game" })(labels)).toBe(true);
  expect(labelMatcher({ app: "game", x: "y" })(labels)).toBe(false);
  expect(labelMatcher({ app: "game" })(undefined)).toBe(false);
});

it.each([
  ["undefined", { app: undefined }],
  ["text that no label holds", { app: "a b" }],
  ["a LabelSelector", { matchLabels: { app: "game" } }],
  ["a key that is none", { "a b": "c" }],
])("refuses %s, as live reads do: it would match nothing, or everything", (_, selector) => {
  expect(() => labelMatcher(selector as unknown as Record<string, string>)).toThrow(TypeError);
});

it("says what it can't read", () => {
  expect(() => labelMatcher("app in game")).toThrow('"app in game" is no requirement');
});
