import { newControllerManagedBy } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";

const key = { namespace: "default", name: "settings" };

it("reports each ConfigMap", async () => {
  await simulate({
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(ConfigMap)
        .complete({
          async reconcile(_ctx, request) {
            if (request.name === key.name) throw new Error("not implemented");
          },
        });
    },
    scenario: async (world) => {
      await world.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: key });
      await world.settled();
    },
  });
}, 60_000);
