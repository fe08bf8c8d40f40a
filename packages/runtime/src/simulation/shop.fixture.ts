import { thorough } from "../../../../scripts/test-support/thorough.ts";
import { Deployment } from "../api/apps/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client, ObjectKey, Stored } from "../client/client.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import type { Manager } from "../manager/manager.ts";
import type { Request } from "../reconcile/request.ts";
import type { SimulateOptions } from "./options/options.ts";

/** A custom resource for simulated operators. */
export interface Shop extends KubernetesObject {
  spec: { replicas?: number; name?: string };
  status?: { ready?: number; observedGeneration?: number; bucket?: string };
}

export const Shop: Kind<Shop> = groupVersion("simulation.test", "v1").kind<Shop>("Shop");

export const shopCrd: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shops.simulation.test" },
  spec: {
    group: "simulation.test",
    names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

export const key: ObjectKey = { namespace: "default", name: "a" };

export function shop(name = "a", replicas = 1): Shop {
  return {
    apiVersion: "simulation.test/v1",
    kind: "Shop",
    metadata: { namespace: "default", name },
    spec: { replicas },
  };
}

/** A scenario that creates, changes and deletes a shop. */
export const shopScenario: SimulateOptions["scenario"] = async (world) => {
  await world.client.create(shop());
  await world.settled();
  await world.client.patch(Shop, key, { spec: { replicas: 3 } });
  await world.settled();
  await world.client.delete(Shop, key);
};

/**
 * A correct operator that creates a Deployment for each shop. It reports the observed generation before the Deployment is ready, so
 * simulations with it set `kstatus: false`.
 */
export async function shopOperator(mgr: Manager): Promise<void> {
  const { client } = mgr;
  await reconcileShops(mgr, Deployment, async (shop) => {
    const deployment = await syncDeployment(client, shop);
    const status = {
      ready: deployment.status?.readyReplicas ?? 0,
      observedGeneration: shop.metadata.generation as number,
    };
    const { status: before } = shop;
    if (before?.ready === status.ready && before.observedGeneration === status.observedGeneration) return;
    await client.status.update({ ...shop, status });
  });
}

/** Adds a controller that calls a function for each shop that isn't being deleted. */
export async function reconcileShops<T extends KubernetesObject>(
  mgr: Manager,
  owned: Kind<T>,
  sync: (shop: Stored<Shop>, request: Request) => Promise<unknown>,
): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Shop)
    .owns(owned)
    .complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(mgr.client.get(Shop, request));
        if (shop && !shop.metadata.deletionTimestamp) await sync(shop, request);
      },
    });
}

/** Creates the Deployment of a shop, or brings it up to date. */
export async function syncDeployment(client: Client, owner: Shop): Promise<Deployment> {
  const { namespace, name = "" } = owner.metadata ?? {};
  const labels = { shop: name };
  const deployment: Deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "shop", image: "shop" }] } },
    },
  };
  await createOrUpdate(client, deployment, (object) => {
    setControllerReference(owner as never, object);
    object.spec.replicas = owner.spec.replicas ?? 1;
  });
  return deployment;
}

/**
 * Returns the number of schedules of a test that expects no finding: all in full runs, an eighth of them in the others, which
 * must not take long.
 */
export function schedules(count: number): number {
  return thorough ? count : Math.ceil(count / 8);
}
