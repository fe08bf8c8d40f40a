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

import { simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { Captain } from "#api/v1/index.ts";
import { CaptainReconciler } from "./captain-controller.ts";

const key = { namespace: "default", name: "sample" };

function sample(): Captain {
  return {
    apiVersion: Captain.apiVersion,
    kind: Captain.kind,
    metadata: { name: "sample", namespace: "default" },
    // Set the required fields.
    spec: {},
  };
}

// Replace this with a change of the spec.
const change = { metadata: { labels: { changed: "true" } } };

// Runs with: npx scaffold simulate
it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    operator: async (mgr) => {
      const reconciler = new CaptainReconciler(mgr.client);
      await reconciler.setupWithManager(mgr);
    },
    // Actions of a user. Crashes, conflicts, stale reads and other faults happen meanwhile.
    scenario: async (world) => {
      await world.client.create(sample());
      await world.settled();
      await world.client.patch(Captain, key, change);
      await world.settled();
      await world.client.delete(Captain, key);
    },
    // Add your own rules, with always(name, check) and eventually(name, check).
    invariants: [],
    // Lists intended changes, with a reason. Compare with a release: npx scaffold simulate --from <tag>
    upgrade: { allow: [] },
  });
}, 60_000);
