import { newControllerManagedBy } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";

it("does nothing", async () => {
  await simulate({
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(ConfigMap)
        .complete({ async reconcile() {} });
    },
    scenario: async (world) => {
      await world.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "a" } });
      await world.settled();
    },
  });
}, 60_000);
