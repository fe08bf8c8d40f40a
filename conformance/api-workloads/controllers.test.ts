// The controllers that test environments can request must be those of the embedded API server.
import { DEFAULT_CONTROLLERS } from "@kubewright/runtime/envtest";
import { expect, test } from "vitest";
import { workloadControllers } from "../../packages/apiserver/src/controllers/workloads/workloads.ts";
import { embeddedControllers } from "../../packages/runtime/src/envtest/engine.ts";

// The server starts these even without simulated workloads.
const others = ["garbage-collector", "namespace", "clusterrole-aggregation-controller", "storage-version-migrator"];

test("an environment with all controllers requests each simulated one", () => {
  expect(embeddedControllers(["*"]).sort()).toEqual([...others, ...workloadControllers].sort());
});

test("the server doesn't simulate the default controllers that aren't requested", () => {
  const requested = embeddedControllers(DEFAULT_CONTROLLERS);
  const missing = DEFAULT_CONTROLLERS.filter((name) => !requested.includes(name));
  expect(missing.map((name) => name.replace(/-controller$/, ""))).toEqual([
    // These are requested by other names.
    "garbage-collector",
    "namespace",
    // These aren't simulated.
    "endpoints",
    "resourcequota",
    "ttl-after-finished",
    "storage-version-migrator",
  ]);
});
