import { expect, it } from "vitest";
import { heapGrowth, soak } from "./soak.ts";

it("runs a minute under random faults: no object missed, no promise forgotten, no memory kept", async () => {
  const report = await soak({ minutes: 1, seed: 1 });
  expect(report.missed).toEqual([]);
  expect(report.mishaps.size).toBeGreaterThan(3);
  expect(report.changes).toBeGreaterThan(500);
  expect([report.unhandled, report.exitCode]).toEqual([0, 0]);
  // A minute is too short to warm up in; the 30 minutes of bench/soak.mjs allow a tenth.
  expect(heapGrowth(report.samples, 1 / 3)).toBeLessThan(0.3);
});
