// External kinds whose objects have no namespace: kubebuilder's PROJECT has no field for the scope.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { initProject } from "../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

const issuer = ["--group", "cert-manager", "--version", "v1", "--kind", "ClusterIssuer"];
const types = ["--external-api-path", "@acme/cert-manager/v1", "--external-api-domain", "io"];

async function project(options: Parameters<typeof initProject>[1] = {}): Promise<string> {
  const root = testDirectory();
  await initProject(root, options);
  return root;
}

async function ok(root: string, ...argv: string[]): Promise<void> {
  const { code, stderr } = await runCli(root, argv);
  expect({ argv, code, stderr }).toMatchObject({ code: 0 });
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const recorded = (root: string) => parse(read(root, "PROJECT"));

describe("a cluster-scoped external kind", () => {
  it("is recorded in a plugin section of PROJECT, and scaffolded as cluster-scoped from then on", async () => {
    const root = await project();
    await ok(root, "create", "api", ...issuer, ...types, "--namespaced=false", "--controller");
    expect(recorded(root).plugins).toEqual({
      "ts.kubewright.io/v1": { clusterScoped: ["cert-manager.io/v1/ClusterIssuer"] },
    });
    expect(read(root, "src/controller/clusterissuer-controller.test.ts")).toContain('namespace: ""');
    await ok(root, "create", "webhook", ...issuer, "--defaulting");
    expect(read(root, "src/webhook/v1/clusterissuer-webhook.test.ts")).not.toContain('namespace: "default"');
    // The helpers' packages have another version; upgrade finds no other differences.
    expect((await runCli(root, ["upgrade", "--dry-run"])).stdout).not.toContain("clusterissuer");
  });

  fullTest("is removed from PROJECT and the tree with its last part", async () => {
    const root = await project({ webhookCerts: "self" });
    const before = snapshot(root);
    await ok(root, "create", "api", ...issuer, ...types, "--namespaced=false", "--controller");
    await ok(root, "create", "webhook", ...issuer, "--programmatic-validation");
    await ok(root, "delete", "webhook", ...issuer);
    expect(recorded(root).plugins["ts.kubewright.io/v1"].clusterScoped).toHaveLength(1);
    await ok(root, "delete", "api", ...issuer);
    expect(snapshot(root)).toEqual(before);
  });

  it("can have only a webhook", async () => {
    const root = await project();
    const before = snapshot(root);
    await ok(root, "create", "webhook", ...issuer, ...types, "--namespaced=false", "--defaulting");
    expect(recorded(root).plugins["ts.kubewright.io/v1"].clusterScoped).toHaveLength(1);
    await ok(root, "delete", "webhook", ...issuer);
    expect(snapshot(root)).toEqual(before);
  });

  it("gets a ClusterRoleBinding in a namespaced project", async () => {
    const root = await project({ namespaced: true });
    const before = snapshot(root);
    await ok(root, "create", "api", ...issuer, ...types, "--namespaced=false", "--controller");
    expect(read(root, "config/rbac/kustomization.yaml")).toContain("cluster_role_binding.yaml");
    await ok(root, "delete", "api", ...issuer);
    expect(snapshot(root)).toEqual(before);
  });

  it("needs the ClusterRoleBinding until the last cluster-scoped kind is deleted", async () => {
    const root = await project({ namespaced: true });
    const node = ["--group", "core", "--version", "v1", "--kind", "Node"];
    // A built-in kind, whose scope isn't in PROJECT, doesn't need it.
    await ok(
      root,
      "create",
      "api",
      "--group",
      "apps",
      "--version",
      "v1",
      "--kind",
      "Deployment",
      "--resource=false",
      "--controller",
    );
    const before = snapshot(root);
    await ok(root, "create", "api", ...issuer, ...types, "--namespaced=false", "--controller");
    await ok(root, "create", "api", ...node, "--resource=false", "--controller");
    await ok(root, "delete", "api", ...issuer);
    expect(read(root, "config/rbac/kustomization.yaml")).toContain("cluster_role_binding.yaml");
    await ok(root, "delete", "api", ...node);
    expect(snapshot(root)).toEqual(before);
  });

  it("keeps its scope", async () => {
    const root = await project();
    await ok(root, "create", "api", ...issuer, ...types, "--namespaced=false", "--controller");
    const before = snapshot(root);
    const end = await runCli(root, ["create", "webhook", ...issuer, "--defaulting", "--namespaced=true"]);
    expect(end).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: --namespaced=true can't be used: ClusterIssuer is cluster-scoped\n",
    });
    expect(snapshot(root)).toEqual(before);
  });
});
