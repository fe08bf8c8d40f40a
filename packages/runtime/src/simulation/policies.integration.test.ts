import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Manager } from "../manager/manager.ts";
import { always } from "./checks/invariant.ts";
import { simulate } from "./simulate.ts";

/** Refuses ConfigMaps with the given data, which no CRD could. */
const policy = (forbidden: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: allowed.configmaps
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - { apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps] }
  validations:
    - { expression: 'object.data.value != "${forbidden}"', message: the value is forbidden }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: allowed.configmaps
spec: { policyName: allowed.configmaps, validationActions: [Deny] }
`;

function projectWith(forbidden: string): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-policies-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "config/policy"), { recursive: true });
  writeFileSync(join(root, "config/policy/policies.yaml"), policy(forbidden));
  // Only the policies of the directory are applied.
  writeFileSync(join(root, "config/policy/kustomization.yaml"), "resources: [policies.yaml]\n");
  return root;
}

const map = (name: string, value: string): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { value },
});

/** Creates the ConfigMap `copy` with the value of the ConfigMap `source`. */
async function copies(mgr: Manager): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(ConfigMap)
    .named("copies")
    .complete({
      reconcile: async (_ctx, { name }) => {
        const source = await mgr.client.get(ConfigMap, { name, namespace: "default" }).catch(() => undefined);
        if (name !== "source" || !source) return {};
        await mgr.client.create(map("copy", source.data?.value ?? "")).catch((error) => {
          if (error.reason !== "AlreadyExists") throw error;
        });
        return {};
      },
    });
}

const base = { operator: copies, seeds: 3, faults: [] };

describe("the admission policies of a project in a simulation", () => {
  it("reject forbidden writes of users and of the operator", async () => {
    const { findings } = await simulate({
      ...base,
      policyDirectoryPaths: [join(projectWith("forbidden"), "config/policy")],
      scenario: async (world) => {
        await expect(world.client.create(map("a", "forbidden"))).rejects.toThrow(
          "ValidatingAdmissionPolicy 'allowed.configmaps' with binding 'allowed.configmaps' denied request: the value is forbidden",
        );
        await world.client.create(map("source", "allowed"));
        await world.settled();
      },
      invariants: [
        always("no value is forbidden", (world) =>
          world.list(ConfigMap).every(({ data }) => data?.value !== "forbidden"),
        ),
      ],
    });
    expect(findings).toEqual([]);
  });

  it("apply to objects of the start when these change", async () => {
    await simulate({
      ...base,
      policyDirectoryPaths: [join(projectWith("forbidden"), "config/policy")],
      objects: [map("b", "forbidden")],
      scenario: async (world) => {
        const patched = world.client.patch(
          ConfigMap,
          { name: "b", namespace: "default" },
          { metadata: { labels: { a: "b" } } },
        );
        await expect(patched).rejects.toThrow("the value is forbidden");
      },
    });
  });

  it("are those of config/policy in the working directory", async () => {
    const before = process.cwd();
    process.chdir(projectWith("forbidden"));
    onTestFinished(() => process.chdir(before));
    await simulate({
      ...base,
      scenario: async (world) => {
        await expect(world.client.create(map("a", "forbidden"))).rejects.toThrow("the value is forbidden");
      },
    });
  });

  it("stay when another version of the operator takes over", async () => {
    const { findings } = await simulate({
      ...base,
      from: { operator: copies },
      policyDirectoryPaths: [join(projectWith("forbidden"), "config/policy")],
      scenario: async (world) => {
        await world.client.create(map("source", "allowed"));
        await world.settled();
        await expect(world.client.create(map("a", "forbidden"))).rejects.toThrow("the value is forbidden");
      },
    });
    expect(findings).toEqual([]);
  });

  it("must exist if their paths are given", async () => {
    await expect(simulate({ ...base, policyDirectoryPaths: ["missing"], scenario: () => {} })).rejects.toThrow(
      "missing: no such file or directory (policyDirectoryPaths)",
    );
  });
});
