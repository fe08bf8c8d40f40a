import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import type { ApiObject, StrategyContext } from "../../model/resource.ts";
import { builtInStrategies } from "./strategies.ts";

const strategyFor = builtInStrategies();

/** Creates an object and updates it with the same specification. Returns how much its generation rises. */
function countedChanges(group: string, resource: string, spec: JsonObject): number {
  const strategy = strategyFor(group, resource);
  const context = { now: 0, subresource: "" } as StrategyContext;
  const make = (): ApiObject => structuredClone({ metadata: { name: "a" }, spec }) as unknown as ApiObject;
  const old = make();
  strategy.prepareForCreate?.(old, context);
  const object = make();
  const { generation = 0 } = old.metadata;
  object.metadata.generation = generation;
  strategy.prepareForUpdate?.(object, old, context);
  return (object.metadata.generation ?? 0) - generation;
}

it.each<[group: string, resource: string, spec: JsonObject]>([
  ["apps", "statefulsets", { updateStrategy: { rollingUpdate: { partition: 1, maxUnavailable: 1 } } }],
  ["storage.k8s.io", "csidrivers", { attachRequired: true, preventPodSchedulingIfMissing: true }],
])("counts no change of %s/%s for a field that the server drops", (group, resource, spec) => {
  expect(countedChanges(group, resource, spec)).toBe(0);
});

it("counts a change of resource.k8s.io/resourceslices for a field that the server drops", () => {
  const devices = [{ name: "a", nodeAllocatableResourceMappings: {} }];
  expect(countedChanges("resource.k8s.io", "resourceslices", { devices })).toBe(1);
});
