import { expect, it } from "vitest";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

it("runs a correct operator without findings", async () => {
  const report = await simulate({
    crds: [shopCrd],
    operator: shopOperator,
    scenario: shopScenario,
    seeds: Number(process.env.SEEDS ?? 200),
  });
  console.log(JSON.stringify(report));
  expect(report.findings).toEqual([]);
}, 600_000);
