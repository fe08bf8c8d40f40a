import { expect, it } from "vitest";
import { Handlers } from "./handlers.ts";

it("handlers that are done don't use the time limit", async () => {
  let looks = 0;
  const handlers = new Handlers(60_000, () => ++looks > 5, expect.unreachable);
  await handlers.settled();
  expect(looks).toBe(8);
});

it("handlers that never end exceed the time limit once, and delay later reconciles only briefly", async () => {
  let late = 0;
  const handlers = new Handlers(
    300,
    () => false,
    () => late++,
  );
  const began = performance.now();
  await handlers.settled();
  expect(performance.now() - began).toBeGreaterThanOrEqual(300);
  const again = performance.now();
  await handlers.settled();
  expect(performance.now() - again).toBeLessThan(300);
  expect(late).toBe(1);
});
