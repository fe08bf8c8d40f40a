import { expect, it } from "vitest";
import { durationFlag } from "./duration-flag.ts";

it.each([
  ["500ms", 500],
  ["60s", 60_000],
  ["1m30s", 90_000],
  [".5h", 1_800_000],
])("a duration %s is %d ms", (time, milliseconds) => {
  expect(durationFlag({ time }, "time", "60s or 10m")).toBe(milliseconds);
});

it.each(["", "0", "0s", "60", "1d", "a", "1 m"])("a duration %j is rejected", (time) => {
  expect(() => durationFlag({ time }, "time", "60s or 10m")).toThrow("must be a duration, such as 60s or 10m");
});

it("no duration is a missing one", () => {
  expect(durationFlag({}, "time", "60s or 10m")).toBeUndefined();
});
