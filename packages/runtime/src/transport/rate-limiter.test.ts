import { expect, it } from "vitest";
import { RateLimiter } from "./rate-limiter.ts";

it("RateLimiter allows a burst, then one request per interval, and then another burst after a pause", () => {
  let now = 0;
  const limiter = new RateLimiter(10, 3, () => now);
  expect([1, 2, 3, 4, 5].map(() => limiter.reserve())).toEqual([0, 0, 0, 100, 200]);
  now = 10_000;
  expect([1, 2, 3, 4].map(() => limiter.reserve())).toEqual([0, 0, 0, 100]);
  now = 10_250;
  expect(limiter.reserve()).toBe(0);
});
