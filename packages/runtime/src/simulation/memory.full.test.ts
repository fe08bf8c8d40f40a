import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, vi } from "vitest";
import type { Manager } from "../manager/manager.ts";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("a simulation keeps none of its managers in memory", async () => {
  const managers: WeakRef<Manager>[] = [];
  await simulate({
    crds: [shopCrd],
    kstatus: false,
    scenario: shopScenario,
    seeds: 40,
    operator: async (mgr) => {
      managers.push(new WeakRef(mgr));
      await shopOperator(mgr);
    },
  });
  expect(managers.length).toBeGreaterThan(60);
  // Objects that wait for a finalizer are freed one collection later.
  await vi.waitFor(
    () => {
      collectGarbage();
      // The last managers can still be on the stack.
      expect(managers.filter((manager) => manager.deref()).length).toBeLessThan(5);
    },
    { timeout: 60_000 },
  );
});
