import { expect, it } from "vitest";
import { positionAfterKey } from "./list-position.ts";

it.each([
  ["ArrowDown", 6],
  ["ArrowUp", 4],
  ["PageDown", 15],
  ["PageUp", -5],
  ["Home", 0],
  ["End", 29],
  ["Enter", undefined],
])("%s moves from row 5 of 30 to %s", (key, expected) => {
  expect(positionAfterKey(key, 5, 10, 30)).toBe(expected);
});
