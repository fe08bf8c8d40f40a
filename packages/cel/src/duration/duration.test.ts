import { expect, it } from "vitest";
import { expectLinear } from "../../../../scripts/test-support/growth.ts";
import { DurationError, parseDuration } from "./duration.ts";

it.each([
  ["0", 0n],
  ["-0", 0n],
  ["+5m", 300_000_000_000n],
  ["1h30m", 5_400_000_000_000n],
  ["-1.5s", -1_500_000_000n],
  [".5h", 1_800_000_000_000n],
  ["1.h", 3_600_000_000_000n],
  ["1µs1μs1us", 3000n],
  ["3m3m", 360_000_000_000n],
  ["0000000000000000000000001s", 1_000_000_000n],
  ["9223372036854775807ns", 2n ** 63n - 1n],
  ["-9223372036854775808ns", -(2n ** 63n)],
  ["9223372036.854775807s", 2n ** 63n - 1n],
  // Go multiplies fractions as floating-point numbers.
  ["0.3333333333333333333h", 1_200_000_000_000n],
  ["9007199254.740993ms", 9_007_199_254_740_993n],
])("%s has %d ns", (text, nanoseconds) => {
  expect(parseDuration(text)).toBe(nanoseconds);
});

it.each([
  ["", 'time: invalid duration ""'],
  ["+", 'time: invalid duration "+"'],
  ["+-1s", 'time: invalid duration "+-1s"'],
  ["0.0", 'time: missing unit in duration "0.0"'],
  ["3", 'time: missing unit in duration "3"'],
  ["-.s", 'time: invalid duration "-.s"'],
  ["1x", 'time: unknown unit "x" in duration "1x"'],
  ["1e3s", 'time: unknown unit "e" in duration "1e3s"'],
  ["1h-5m", 'time: unknown unit "h-" in duration "1h-5m"'],
  ["1s\n", 'time: unknown unit "s\\x0a" in duration "1s\\x0a"'],
  ["1é", 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ["١s", 'time: invalid duration "\\xd9\\xa1s"'],
  ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
  ["-9223372036854775809ns", 'time: invalid duration "-9223372036854775809ns"'],
  ["2562048h", 'time: invalid duration "2562048h"'],
  ["1h99999999999999999999999s", 'time: invalid duration "1h99999999999999999999999s"'],
])("%j fails as in Go: %s", (text, message) => {
  expect(() => parseDuration(text)).toThrow(new DurationError(message));
});

it.each(["1", "0.", ".1", "1s", "1h-", "é"])("takes linear time for %j again and again", (fragment) => {
  const attempt = (text: string): void => {
    try {
      parseDuration(text);
    } catch {
      // Most of them aren't durations.
    }
  };
  expectLinear(attempt, (size) => fragment.repeat(size), { to: 100_000 });
});
