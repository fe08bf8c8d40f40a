import { SimulationError, simulate } from "@kubewright/runtime/simulation";
import { describe, expect, it } from "vitest";
import { optionsOf } from "./lib.ts";
import { pairs } from "./pairs.ts";

const seeds = Number(process.env.KUBEWRIGHT_SEEDS ?? 100);

describe.each(pairs)("$name", (pair) => {
  it("is found", async () => {
    const result: unknown = await simulate({
      ...optionsOf(pair, true),
      seeds: Math.max(seeds, Number(process.env.KUBEWRIGHT_MOST ?? 500)),
    }).catch((error) => error);
    expect(result).toBeInstanceOf(SimulationError);
    const { invariant, seed, message, upgrade } = (result as SimulationError).finding;
    if (process.env.KUBEWRIGHT_SHOW) {
      process.stdout.write(`${pair.name} | ${seed} | ${upgrade?.variations.join(",")} | ${invariant}: ${message}\n`);
    }
    expect(pair.rules).toContain(invariant);
  });

  it("isn't found in the corrected twin", async () => {
    const { findings } = await simulate({ ...optionsOf(pair, false), seeds });
    expect(findings).toEqual([]);
  });
});
