import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { KubeClient } from "./kube-client.ts";
import { ProjectObjects } from "./project-objects.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-objects-"));
  mkdirSync(join(root, "config/crd/bases"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("notes once that a CRD whose kind was removed stays in the cluster", async () => {
  const path = (name: string) => join(root, `config/crd/bases/example.com_${name}.yaml`);
  const write = (name: string) =>
    writeFileSync(
      path(name),
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}.example.com\n`,
    );
  const notes: string[] = [];
  const client = {
    resourceOf: async () => ({ plural: "customresourcedefinitions" }),
    get: async () => ({ metadata: { resourceVersion: "1" } }),
    request: async () => ({ metadata: { resourceVersion: "1" } }),
  } as unknown as KubeClient;
  const objects = new ProjectObjects({
    root,
    client: () => client,
    isConverted: () => false,
    emit: (event) => event.event === "note" && notes.push(event.message),
    report: () => undefined,
  });
  for (const name of ["carts", "orders"]) write(name);
  await objects.applyCrds();
  renameSync(path("carts"), path("baskets"));
  write("baskets");
  for (let count = 0; count < 2; count++) await objects.applyCrds();
  expect(notes).toEqual([
    "CustomResourceDefinition carts.example.com isn't in the project any longer, but stays in the cluster with its objects. To delete them: kubectl delete crd carts.example.com",
  ]);
});
