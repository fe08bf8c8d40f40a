import { appendFileSync } from "node:fs";
import { newControllerManagedBy } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";

const names = Array.from({ length: 60 }, (_, index) => `settings-${index}`);

it("takes longer than its limit allows", async () => {
  appendFileSync(process.env.SIMULATION_CALLS ?? "", `${process.pid}\n`);
  await simulate({
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(ConfigMap)
        .complete({ reconcile: async () => {} });
    },
    scenario: async (world) => {
      for (const name of names) {
        await world.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } });
        await world.settled();
      }
    },
  });
}, 15_000);
