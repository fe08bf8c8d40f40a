import { simulate } from "@kubewright/runtime/simulation";
import { describe, expect, it } from "vitest";
import { correct } from "./correct.ts";

const seeds = Number(process.env.KUBEWRIGHT_SEEDS ?? 300);

describe("simulations of correct operators have no finding", () => {
  it.each(Object.entries(correct))(
    "%s",
    async (_name, options) => {
      const { findings } = await simulate({ ...options(), seeds });
      expect(findings).toEqual([]);
    },
    1_800_000,
  );
});
