import { groupVersion, ignoreNotFound, type KubernetesObject, newControllerManagedBy, setControllerReference } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";

const Shop = groupVersion("example.com", "v1").kind<KubernetesObject>("Shop");
const name = "a-settings";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shops.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

it("keeps a ConfigMap", async () => {
  await simulate({
    crds: [definition],
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .owns(ConfigMap)
        .complete({
          async reconcile(_ctx, request) {
            const shop = await ignoreNotFound(mgr.client.get(Shop, request));
            if (!shop || shop.metadata.deletionTimestamp) return {};
            if (await ignoreNotFound(mgr.client.get(ConfigMap, { namespace: "default", name }))) return {};
            const config: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
            setControllerReference(shop, config);
            await mgr.client.create(config);
            return {};
          },
        });
    },
    scenario: async (world) => {
      const shop = { apiVersion: "example.com/v1", kind: "Shop", metadata: { namespace: "default", name: "a" } };
      await world.client.create(shop);
      await world.settled();
      await world.client.delete(shop);
    },
  });
}, 60_000);
