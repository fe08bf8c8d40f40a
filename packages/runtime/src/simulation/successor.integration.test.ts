// Simulates an operator that patches the status of an object while somebody creates the object again.
import { expect, it } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { patchStatus } from "../controllerutil/patch-status.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { eventually } from "./checks/invariant.ts";
import { key, Shop, schedules, shop, shopCrd } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

it("a patch without a UID never reaches an object that was created again after the read", async () => {
  const steps = { next: async () => {} };
  const { findings } = await simulate({
    crds: [shopCrd],
    external: steps,
    faults: ["recreate"],
    seeds: schedules(60),
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
    },
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const stored = await ignoreNotFound(mgr.client.get(Shop, request));
            if (!stored || stored.status?.ready !== undefined) return;
            const ready = Number.parseInt(stored.metadata.uid.slice(0, 8), 16);
            for (let count = 0; count < 5; count++) await steps.next();
            await patchStatus(mgr.client, stored, (copy) => {
              copy.status = { ready };
            });
          },
        });
    },
    invariants: [
      eventually("the status is that of the object", (world) => {
        const stored = world.object(Shop, key);
        return stored?.status?.ready === Number.parseInt(stored?.metadata.uid.slice(0, 8) ?? "", 16);
      }),
    ],
  });
  expect(findings).toEqual([]);
});
