import { expect, it } from "vitest";
import { soak } from "./soak.ts";
import { judge } from "./verdict.ts";

it("runs three minutes under random faults: nothing missed, nothing kept, certificates and leases rotated", async () => {
  const report = await soak({ minutes: 3, seed: 1 });
  // Three minutes are too short to warm up in; the long run of bench/soak.mjs allows five percent.
  expect(judge(report, 0.3)).toEqual([]);
  expect(report.mishaps.size).toBeGreaterThan(3);
  expect(report.changes).toBeGreaterThan(2000);
  expect(report.reviews).toBeGreaterThan(100);
  expect(report.certificates).toBeGreaterThanOrEqual(2);
  expect(report.takeOvers).toBeGreaterThanOrEqual(4);
  expect(report.namespaces).toBeGreaterThanOrEqual(8);
});
