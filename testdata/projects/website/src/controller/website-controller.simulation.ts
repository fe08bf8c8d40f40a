/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { Website } from "#api/v1/index.ts";
import { WebsiteReconciler } from "./website-controller.ts";

const key = { namespace: "default", name: "sample" };

function sample(): Website {
  return {
    apiVersion: Website.apiVersion,
    kind: Website.kind,
    metadata: { ...key },
    spec: { image: "nginx:1.29", replicas: 2 },
  };
}

// Runs with: npx scaffold simulate
it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    operator: async (mgr) => {
      await new WebsiteReconciler(mgr.client).setupWithManager(mgr);
    },
    // Actions of a user. Crashes, conflicts, stale reads and other faults happen meanwhile.
    scenario: async (world) => {
      await world.client.create(sample());
      await world.settled();
      await world.client.patch(Website, key, { spec: { image: "nginx:1.30", replicas: 3 } });
      await world.settled();
      await world.client.delete(Website, key);
    },
    invariants: [
      always("at most one Deployment per Website", (world) => world.list(Deployment).length <= 1),
      eventually("the Deployment has the replicas of the Website", (world) => {
        const website = world.object(Website, key);
        if (!website) return true;
        const replicas = world.object(Deployment, key)?.spec?.replicas;
        const isReached = replicas === website.spec.replicas;
        return isReached;
      }),
    ],
    // Lists intended changes, with a reason. Compare with a release: npx scaffold simulate --from <tag>
    upgrade: { allow: [] },
  });
}, 60_000);
