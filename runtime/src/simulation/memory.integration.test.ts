import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { Manager } from "../manager/manager.ts";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("a simulation keeps none of its managers in memory", async () => {
  const managers: WeakRef<Manager>[] = [];
  await simulate({
    crds: [shopCrd],
    scenario: shopScenario,
    seeds: 40,
    operator: async (mgr) => {
      managers.push(new WeakRef(mgr));
      await shopOperator(mgr);
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();
  expect(managers.length).toBeGreaterThan(60);
  // The last managers can still be on the stack.
  expect(managers.filter((manager) => manager.deref()).length).toBeLessThan(5);
}, 120_000);
