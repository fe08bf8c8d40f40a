// Simulates the deletion of a namespace, which takes as long as in a cluster.
import { expect, it } from "vitest";
import { Namespace } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { Shop, shopCrd } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

it("a deleted namespace is ending for some seconds, and longer if the cluster is late", async () => {
  const times = new Set<number>();
  await simulate({
    crds: [shopCrd],
    faults: ["gc"],
    seeds: 20,
    scenario: async (world) => {
      await world.client.create(Namespace, { metadata: { name: "team" } });
      await world.client.delete(Namespace, { name: "team" });
      let seconds = 0;
      for (; world.object(Namespace, { name: "team" }); seconds++) await world.advance(1000);
      times.add(seconds);
    },
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({ reconcile: async () => {} });
    },
  });
  expect(Math.min(...times)).toBe(5);
  expect(Math.max(...times)).toBeGreaterThan(20);
});
