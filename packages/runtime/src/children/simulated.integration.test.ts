// Children under all faults, with the rules for sets: crashes, old reads, conflicts, lost responses, edits by hand and late garbage collection.
import { expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap } from "../api/core/v1.ts";
import { ClusterRole } from "../api/rbac/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { patchStatus } from "../controllerutil/patch-status.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import type { Manager } from "../manager/manager.ts";
import { key, Shop, schedules, shop, shopCrd } from "../simulation/shop.fixture.ts";
import { simulate } from "../simulation/simulate.ts";
import { childrenOf } from "./children.ts";

/** Creates the children of each shop: two in its namespace, the second after the first, and one outside. */
async function operator(mgr: Manager): Promise<void> {
  const children = childrenOf(
    Shop,
    { config: ConfigMap, deployment: Deployment, role: ClusterRole },
    { entries: { deployment: { after: ["config"], createOnly: ["spec.replicas"] } } },
  );
  await newControllerManagedBy(mgr)
    .for(Shop)
    .manages(children)
    .complete({
      async reconcile(ctx, request) {
        const owner = await ignoreNotFound(mgr.client.get(Shop, request));
        if (!owner) return;
        const labels = { shop: owner.metadata.name };
        const { replicas = 1 } = owner.spec;
        const containers = [{ name: "shop", image: `shop:${replicas}` }];
        const { setStatus, throwIfFailed } = await children.reconcile(ctx, mgr.client, owner, {
          config: { data: { replicas: String(replicas) } },
          deployment: {
            spec: {
              replicas,
              selector: { matchLabels: labels },
              template: { metadata: { labels }, spec: { containers } },
            },
          },
          role: replicas > 1 ? { metadata: { name: `shop-${owner.metadata.name}` }, rules: [] } : undefined,
        });
        if (!owner.metadata.deletionTimestamp) {
          await patchStatus(mgr.client, owner, (copy) => {
            setStatus(copy as never);
          });
        }
        throwIfFailed();
      },
    });
}

it("children converge under all faults", async () => {
  const { findings } = await simulate({
    crds: [shopCrd],
    seeds: schedules(12),
    operator,
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      await world.client.patch(Shop, key, { spec: { replicas: 3 } });
      await world.settled();
      await world.client.patch(Shop, key, { spec: { replicas: 1 } });
      await world.settled();
      await world.client.patch(Shop, key, { spec: { replicas: 2 } });
      await world.settled();
      await world.client.delete(Shop, key);
    },
  });
  expect(findings).toEqual([]);
});
