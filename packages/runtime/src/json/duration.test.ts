import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

describe("durations in the format of Go", () => {
  it.each([
    ["0", 0, "0s"],
    ["-0", 0, "0s"],
    ["1h30m", 5_400_000, "1h30m0s"],
    ["1.5s", 1500, "1.5s"],
    [".5h", 1_800_000, "30m0s"],
    ["1.h", 3_600_000, "1h0m0s"],
    ["-2m", -120_000, "-2m0s"],
    ["+100ms", 100, "100ms"],
    ["90s", 90_000, "1m30s"],
    ["1us", 0.001, "1µs"],
    ["1µs500ns", 0.0015, "1.5µs"],
    ["7ns", 0.000007, "7ns"],
    ["48h1ms", 172_800_001, "48h0m0.001s"],
    ["3m3m", 360_000, "6m0s"],
  ])("parse %s as %d ms, and format it as %s", (text, milliseconds, canonical) => {
    expect(parseDuration(text)).toBe(milliseconds);
    expect(formatDuration(milliseconds)).toBe(canonical);
  });

  it.each(["", "-", "3", ".s", "1x", "1 h", "h", "1h-5m", "1e3s", "9223372036.9s", "1h 5m", "١s"])(
    "reject %j",
    (text) => {
      const isTooLong = text === "9223372036.9s";
      expect(() => parseDuration(text)).toThrow(isTooLong ? TypeError : `invalid duration ${JSON.stringify(text)}`);
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e16])("can't format %d milliseconds", (milliseconds) => {
    expect(() => formatDuration(milliseconds)).toThrow("invalid duration");
  });
});
