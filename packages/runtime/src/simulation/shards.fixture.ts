import { ConfigMap } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import type { Manager } from "../manager/manager.ts";
import type { SimulateOptions } from "./options/options.ts";
import { reconcileShops, Shop, shop, shopCrd } from "./shop.fixture.ts";

const namespaces = ["blue", "green", "orange", "red"];

/** Creates a ConfigMap for each shop. */
export async function operator(mgr: Manager): Promise<void> {
  await reconcileShops(mgr, ConfigMap, async (owner) => {
    const { namespace, name } = owner.metadata;
    const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name } };
    await createOrUpdate(mgr.client, child, (object) => {
      setControllerReference(owner as never, object);
      object.data = { replicas: String(owner.spec.replicas) };
    });
  });
}

/** Shops in several namespaces, which three processes share. */
export const sharedShops: Omit<SimulateOptions, "seeds"> = {
  crds: [shopCrd],
  kstatus: false,
  replicas: 3,
  sharding: true,
  objects: namespaces.map((name): KubernetesObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
  operator,
  scenario: async (world) => {
    const create = (name: string): Promise<unknown[]> =>
      Promise.all(
        namespaces.map((namespace) => {
          const { metadata, ...rest } = shop(name);
          return world.client.create({ ...rest, metadata: { ...metadata, namespace } });
        }),
      );
    await create("a");
    await create("b");
    await world.settled();
    for (const namespace of namespaces) {
      await world.client.patch(Shop, { namespace, name: "a" }, { spec: { replicas: 3 } });
    }
    await world.settled();
    await world.client.delete(Shop, { namespace: "red", name: "a" });
  },
};
