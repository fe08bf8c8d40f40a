import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { accountOfProject, groupsOf, userOf } from "./account.ts";

const files = {
  "config/default/kustomization.yaml":
    "namespace: mygame-system\nnamePrefix: mygame-\nnameSuffix: -v2\nresources:\n- ../rbac\n- ../manager\n",
  "config/rbac/kustomization.yaml": "resources:\n- service_account.yaml\n- role.yaml\n",
  "config/rbac/service_account.yaml":
    "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: controller-manager\n  namespace: system\n",
  "config/manager/kustomization.yaml": "resources:\n- manager.yaml\n",
  "config/manager/manager.yaml": `apiVersion: v1
kind: Namespace
metadata:
  name: system
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: controller-manager
  namespace: system
spec:
  template:
    spec:
      serviceAccountName: controller-manager
`,
};

/** Writes a project whose `config/rbac/role.yaml` hasn't been generated yet. */
function project(differing: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "plan-account-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...files, ...differing })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const overlay = files["config/default/kustomization.yaml"];
const patchFor = (name: string): string =>
  `[{ op: replace, path: /spec/template/spec/serviceAccountName, value: ${name} }]`;

it("the account is that of the manager in config/default, with prefix and suffix", () => {
  expect(accountOfProject(project())).toEqual({ namespace: "mygame-system", name: "mygame-controller-manager-v2" });
});

it("the account is that of a patch in config/default, as kustomize applies it", () => {
  const target = "  target:\n    kind: Deployment\n";
  const patched = (name: string) => `${overlay}patches:\n- patch: "${patchFor(name)}"\n${target}`;
  const other = { "config/default/kustomization.yaml": patched("other") };
  // Nothing in the project renames an account that it doesn't have.
  expect(accountOfProject(project(other))).toEqual({ namespace: "mygame-system", name: "other" });
  const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: other\n  namespace: system\n";
  expect(accountOfProject(project({ ...other, "config/rbac/role.yaml": account }))).toEqual({
    namespace: "mygame-system",
    name: "mygame-other-v2",
  });
});

it("the account is that of a patch in config/manager", () => {
  const patches = "patches:\n- path: patch.yaml\n";
  const patch = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: controller-manager
  namespace: system
spec:
  template:
    spec:
      serviceAccountName: other
`;
  const root = project({
    "config/manager/kustomization.yaml": `${files["config/manager/kustomization.yaml"]}${patches}`,
    "config/manager/patch.yaml": patch,
  });
  expect(accountOfProject(root)?.name).toBe("other");
});

it("a kustomization that can't be built is an error, never another account", () => {
  const root = project({ "config/default/kustomization.yaml": `${overlay}components:\n- ../other\n` });
  expect(() => accountOfProject(root)).toThrow("config/default/kustomization.yaml");
});

it("a project without a namespace, or without config/default, names none", () => {
  const manager = files["config/manager/manager.yaml"].replace("  namespace: system\n", "");
  const kustomization = "namePrefix: mygame-\nresources:\n- ../manager\n";
  const without = { "config/default/kustomization.yaml": kustomization, "config/manager/manager.yaml": manager };
  expect(accountOfProject(project(without))).toBeUndefined();
  expect(accountOfProject(join(project(), "config"))).toBeUndefined();
});

it("an account is a user with three groups", () => {
  const account = { namespace: "a", name: "b" };
  expect(userOf(account)).toBe("system:serviceaccount:a:b");
  expect(groupsOf(account)).toEqual(["system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"]);
});
