import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { accountOfProject, groupsOf, userOf } from "./account.ts";

function project(kustomization: string): string {
  const root = mkdtempSync(join(tmpdir(), "plan-account-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const directory of ["config/default", "config/manager"]) mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, "config/default/kustomization.yaml"), kustomization);
  writeFileSync(
    join(root, "config/manager/manager.yaml"),
    "kind: Namespace\n---\nkind: Deployment\nspec:\n  template:\n    spec:\n      serviceAccountName: controller-manager\n",
  );
  return root;
}

it("the account is that of the manager in config/default, with prefix and suffix", () => {
  const root = project("namespace: mygame-system\nnamePrefix: mygame-\nnameSuffix: -v2\n");
  expect(accountOfProject(root)).toEqual({ namespace: "mygame-system", name: "mygame-controller-manager-v2" });
});

it("a project without a namespace names none", () => {
  expect(accountOfProject(project("namePrefix: mygame-\n"))).toBeUndefined();
});

it("an account is a user with three groups", () => {
  const account = { namespace: "a", name: "b" };
  expect(userOf(account)).toBe("system:serviceaccount:a:b");
  expect(groupsOf(account)).toEqual(["system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"]);
});
