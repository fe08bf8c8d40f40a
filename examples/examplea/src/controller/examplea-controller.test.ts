import type { Pod } from "@kubewright/runtime/api/core/v1";
import { fakeClient, testContext } from "@kubewright/runtime/testing";
import { expect, it } from "vitest";
import { ExampleA } from "#api/v1/index.ts";
import { ExampleAReconciler } from "./examplea-controller.ts";

const key = { namespace: "default", name: "my-opex" };

function pod(labels: Record<string, string>): Pod {
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "elsewhere", name: "busybox", labels } };
}

async function underControl(groupName: string | undefined, ...pods: Pod[]): Promise<boolean | undefined> {
  const { apiVersion, kind } = ExampleA;
  const example: ExampleA = { apiVersion, kind, metadata: { ...key }, spec: { groupName } };
  const client = fakeClient({ objects: [example, ...pods], statusSubresource: [ExampleA] });
  await new ExampleAReconciler(client).reconcile(testContext(), key);
  return (await client.get(ExampleA, key)).status?.underControl;
}

it("sets underControl to true if a Pod of the group exists in any namespace", async () => {
  expect(await underControl("business", pod({ group: "business" }))).toBe(true);
});

it.each([
  ["no Pod", "business", []],
  ["only Pods of other groups", "business", [pod({ group: "leisure" })]],
  ["no group in the spec, and Pods without a group", undefined, [pod({})]],
])("sets underControl to false for %s", async (_, groupName, pods) => {
  expect(await underControl(groupName, ...pods)).toBe(false);
});
