import { expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { BucketRateLimiter, ExponentialBackoff, maxOfRateLimiters } from "./rate-limiter.ts";

it("BucketRateLimiter allows a burst, and then a number of items per second", async () => {
  const clock = new VirtualClock();
  const bucket = new BucketRateLimiter({ qps: 10, burst: 3, clock });
  expect([bucket.when(), bucket.when(), bucket.when(), bucket.when(), bucket.when()]).toEqual([0, 0, 0, 100, 200]);
  bucket.forget();
  expect(bucket.retries()).toBe(0);
  await clock.advance(250);
  expect(bucket.when()).toBe(50);
  await clock.advance(60_000);
  expect([bucket.when(), bucket.when(), bucket.when(), bucket.when()]).toEqual([0, 0, 0, 100]);
  expect(() => new BucketRateLimiter({ qps: 0 })).toThrow("qps must be greater than 0");
});

it("maxOfRateLimiters returns the longest delay, and passes failures and forget to each limiter", () => {
  const clock = new VirtualClock();
  const limiter = maxOfRateLimiters(
    new ExponentialBackoff({ base: 40 }),
    new BucketRateLimiter({ qps: 10, burst: 1, clock }),
  );
  expect([limiter.when("a"), limiter.when("b"), limiter.when("a"), limiter.when("a")]).toEqual([40, 100, 200, 300]);
  expect(limiter.retries("a")).toBe(3);
  limiter.forget("a");
  expect(limiter.retries("a")).toBe(0);
  expect(limiter.retries("b")).toBe(1);
});
