import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { KubeClient } from "../client/kube-client.ts";
import { SessionEvents } from "../store/session-events.ts";
import { ProjectObjects } from "./project-objects.ts";

const policy = (name: string, kind = "ValidatingAdmissionPolicy") =>
  `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;

it("applies the policies of the project when they change, and deletes those that it no longer has", async () => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-policies-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "config/policy"), { recursive: true });
  const requests: string[] = [];
  const client = {
    resourceOf: async () => ({ apiVersion: "admissionregistration.k8s.io/v1", plural: "policies", namespaced: false }),
    get: async () => ({ metadata: { resourceVersion: "1" } }),
    request: async ({ method, path }: { method: string; path: string }) => {
      requests.push(`${method} ${path.split("/").at(-1)}`);
      return { metadata: { resourceVersion: "2" } };
    },
  } as unknown as KubeClient;
  const events = new SessionEvents();
  const objects = new ProjectObjects({
    root,
    engine: "embedded",
    client: () => client,
    isConverted: () => false,
    events,
  });
  const write = (text: string) => writeFileSync(join(root, "config/policy/policies.yaml"), text);
  writeFileSync(join(root, "config/policy/kustomization.yaml"), "resources: [policies.yaml]\n");
  write(policy("a", "MutatingAdmissionPolicy") + policy("b") + policy("c", "ConfigMap"));
  await objects.applyCrds();
  await objects.applyCrds();
  expect(requests).toEqual(["PATCH a", "PATCH b"]);
  write(policy("b"));
  await objects.applyCrds();
  expect(requests.slice(2)).toEqual(["DELETE a", "PATCH b"]);
  // A file that isn't valid YAML may contain all of them.
  write("a: [");
  await objects.applyCrds();
  expect(requests).toHaveLength(4);
});
