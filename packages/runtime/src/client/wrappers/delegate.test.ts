import { expect, it } from "vitest";
import { groupVersion } from "../../api/kind.ts";
import type { Client } from "../client.ts";
import { rawPatch } from "../patch.ts";
import { DelegatingClient } from "./delegate.ts";

const Pod = groupVersion("", "v1").kind("Pod");
const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" } };
const key = { name: "p" };
const patch = rawPatch("application/merge-patch+json", {});

it.each<[string, unknown[]]>([
  ["get", [Pod, key, { shared: true }]],
  ["list", [Pod, { limit: 1 }]],
  ["create", [pod, { dryRun: true }]],
  ["update", [pod, { dryRun: true }]],
  ["patch", [pod, patch, { dryRun: true }]],
  ["apply", [pod, { fieldOwner: "me" }]],
  ["delete", [pod, { gracePeriodSeconds: 0 }]],
  ["delete", [Pod, key, { gracePeriodSeconds: 0 }]],
  ["deleteAllOf", [Pod, { namespace: "ns" }]],
  ["watch", [Pod, { namespace: "ns" }]],
  ["subResource", ["scale"]],
  ["isObjectNamespaced", [Pod]],
])("DelegatingClient passes the arguments of %s on, and returns the result", (name, args) => {
  const seen: unknown[] = [];
  const answer = {};
  const record = (...given: unknown[]) => {
    seen.push(...given);
    return answer;
  };
  const client = new DelegatingClient({ [name]: record } as unknown as Client);
  const call = client[name as keyof Client] as (...given: unknown[]) => unknown;
  expect(call.apply(client, args)).toBe(answer);
  expect(seen).toEqual(args);
});

it("DelegatingClient returns the status writer of the wrapped client", () => {
  const status = {};
  expect(new DelegatingClient({ status } as unknown as Client).status).toBe(status);
});
