import { expect, it } from "vitest";
import { parseSelector } from "./versions.ts";

it.each([
  ["1.36.3", ["1.36.3"], ["1.36.2", "1.3.63"]],
  ["v1.36.3", ["1.36.3"], ["1.36.4"]],
  ["1.36", ["1.36.0", "1.36.10"], ["1.35.9", "1.37.0"]],
  ["1.36.x", ["1.36.0"], ["1.3.6"]],
  ["1.36.*", ["1.36.0"], ["1.360.0"]],
  ["~1.36.2", ["1.36.2", "1.36.10"], ["1.36.1", "1.37.0"]],
  ["<1.36", ["1.35.10", "1.9.0"], ["1.36.0"]],
  ["<=1.36", ["1.36.9", "1.9.0"], ["1.37.0"]],
  ["<=1.36.2", ["1.36.2"], ["1.36.3"]],
  ["latest", ["1.0.0", "9.9.9"], []],
])("parseSelector matches the versions of %s", (text, matching, others) => {
  const selector = parseSelector(text);
  expect(matching.filter((version) => !selector?.matches(version))).toEqual([]);
  expect(others.filter((version) => selector?.matches(version))).toEqual([]);
});

it("parseSelector requests the index only for latest and with an exclamation mark", () => {
  expect(parseSelector("latest")?.newest).toBe(true);
  expect(parseSelector("1.36.x!")?.newest).toBe(true);
  expect(parseSelector("1.36.x")?.newest).toBe(false);
  expect(parseSelector("latest-on-disk")?.onDisk).toBe(true);
});

it.each(["", "1", "1.2.3.4", "x", "1.36.3-rc.1", ">1.2", "1.36.y"])("parseSelector rejects %j", (text) =>
  expect(parseSelector(text)).toBeUndefined(),
);
