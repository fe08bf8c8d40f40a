import {
  groupVersion,
  ignoreNotFound,
  type KubernetesObject,
  type Manager,
  newControllerManagedBy,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";

const Shop = groupVersion("example.com", "v1").kind<KubernetesObject>("Shop");

/** Keeps a ConfigMap for each shop. */
export async function setup(mgr: Manager): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Shop)
    .owns(ConfigMap)
    .complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(mgr.client.get(Shop, request));
        if (!shop || shop.metadata.deletionTimestamp) return {};
        const name = process.env.SETTINGS ?? "a";
        const namespace = process.env.POD_NAMESPACE ?? "default";
        const data = { text: "1" };
        const config: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
        setControllerReference(shop, config);
        await mgr.client.apply(config, { fieldOwner: "shops", force: true });
        return {};
      },
    });
}
