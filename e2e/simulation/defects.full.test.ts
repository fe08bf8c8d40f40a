import { SimulationError, simulate } from "@kubewright/runtime/simulation";
import { describe, expect, it } from "vitest";
import { cases } from "./cases.ts";
import { optionsOf } from "./lib.ts";

const seeds = Number(process.env.KUBEWRIGHT_SEEDS ?? 300);
/** Finding a defect that needs several simultaneous faults takes more schedules. */
const mostSeeds = Math.max(seeds, 2000);

describe.each(cases)("$name", (one) => {
  it("is found", async () => {
    const result = await simulate({ ...optionsOf(one, true), seeds: mostSeeds }).catch((error: unknown) => error);
    if (process.env.KUBEWRIGHT_SHOW && result instanceof SimulationError) {
      const { invariant, message, seed, faults } = result.finding;
      process.stdout.write(`${one.name} | ${seed} | ${faults.join(",")} | ${invariant}: ${message}\n`);
    }
    expect(result).toBeInstanceOf(SimulationError);
  });

  it("isn't found in the corrected twin", async () => {
    const { findings } = await simulate({ ...optionsOf(one, false), seeds });
    expect(findings).toEqual([]);
  });
});
