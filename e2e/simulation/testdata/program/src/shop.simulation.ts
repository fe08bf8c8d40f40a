import { simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { setup } from "./operator.ts";

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
    operator: setup,
    scenario: async (world) => {
      const shop = { apiVersion: "example.com/v1", kind: "Shop", metadata: { namespace: "default", name: "a" } };
      await world.client.create(shop);
      await world.settled();
      await world.client.delete(shop);
    },
  });
}, 60_000);
