import { expect, it } from "vitest";
import { soak } from "./soak.ts";
import { judge } from "./verdict.ts";

it("an operator runs for three minutes under random faults, misses no change and leaks nothing", async () => {
  const report = await soak({ minutes: 3, seed: 1 });
  // Three minutes are too short to warm up. The long run of bench/soak.ts allows a growth of five percent.
  expect(judge(report, 0.3)).toEqual([]);
  expect(report.mishaps.size).toBeGreaterThan(3);
  expect(report.changes).toBeGreaterThan(2000);
  expect(report.reviews).toBeGreaterThan(100);
  expect(report.certificates).toBeGreaterThanOrEqual(2);
  expect(report.takeOvers).toBeGreaterThanOrEqual(4);
  expect(report.namespaces).toBeGreaterThanOrEqual(8);
});
