// The controllers that test environments request from the embedded API server are those that it has.
import { expect, test } from "vitest";
import { workloadControllers } from "../../apiserver/src/controllers/workloads/workloads.ts";
import { embeddedControllers } from "../../runtime/src/envtest/engine.ts";
import { DEFAULT_CONTROLLERS } from "../../runtime/src/envtest/servers/controller-manager.ts";

// The server starts these itself, without simulated workloads.
const others = ["garbage-collector", "namespace", "clusterrole-aggregation-controller"];

test("an environment with all controllers requests each one that is simulated", () => {
  expect(embeddedControllers(["*"]).sort()).toEqual([...others, ...workloadControllers].sort());
});

test("the default controllers that aren't requested have no counterpart", () => {
  const requested = embeddedControllers(DEFAULT_CONTROLLERS);
  const missing = DEFAULT_CONTROLLERS.filter((name) => !requested.includes(name));
  expect(missing.map((name) => name.replace(/-controller$/, ""))).toEqual([
    // Requested by names of their own.
    "garbage-collector",
    "namespace",
    // Not simulated.
    "endpoints",
    "resourcequota",
    "ttl-after-finished",
  ]);
});
