import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readProject } from "../../project/project-file.ts";
import { readValues } from "../../yaml/values.ts";
import { openTree } from "../files/tree.ts";
import { openTemplates } from "../templates/templates.ts";
import { initProject, templatesDirectory } from "../test-support/game.ts";
import { mapOf } from "../text/maps.ts";
import { renderChart } from "./render.ts";

const root = mkdtempSync(join(tmpdir(), "kubewright-cluster-wide-"));
beforeAll(() => initProject(root, { namespaced: true }));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const role = (kind: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata:
  name: manager-role${kind === "Role" ? "\n  namespace: system" : ""}
rules:
- apiGroups: [""]
  resources: [${kind === "Role" ? "configmaps" : "nodes"}]
  verbs: [get]
`;
const binding = (name: string, kind: string, reference = kind) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
metadata:
  name: ${name}${kind === "Role" ? "\n  namespace: system" : ""}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${reference}
  name: manager-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
`;

/** Returns the roles and bindings of the manager in the chart of a project, as `kind name` or `kind name -> role`. */
async function rolesOf(files: Readonly<Record<string, string>>, isNamespaced: boolean): Promise<string[]> {
  const read = (path: string) => files[path] ?? openTree(root).readText(path);
  const project = readProject(read("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const { generated } = renderChart(project, await openTemplates(templatesDirectory), read);
  return [...generated.values()]
    .filter((text) => text.includes("manager-role"))
    .map((text) => {
      const chosen = text
        .replace(
          /\{\{ if \$\.Values\.rbac\.namespaced \}\}(\w+)\{\{ else \}\}(\w+)\{\{ end \}\}/g,
          isNamespaced ? "$1" : "$2",
        )
        .replace(
          /^ *\{\{- if \.Values\.rbac\.namespaced \}\}\n((?:(?! *\{\{- (?:else|end)).*\n)*)(?: *\{\{- else \}\}\n((?:(?! *\{\{- end).*\n)*))? *\{\{- end \}\}\n/gm,
          isNamespaced ? "$1" : "$2",
        )
        .replace(/\{\{ include "[\w.]+" \(dict "suffix" "([\w-]+)" "context" \$\) \}\}/g, "$1")
        .replace(/^ *\{\{-.*\n/gm, "")
        .replace(/\{\{.*?\}\}/g, "x");
      const { kind, metadata, roleRef } = mapOf(readValues(chosen)[0]);
      const { name, namespace } = mapOf(metadata);
      const reference = mapOf(roleRef);
      const where = namespace === undefined ? "" : " in its namespace";
      return `${kind} ${name}${where}${roleRef === undefined ? "" : ` -> ${reference.kind} ${reference.name}`}`;
    })
    .sort();
}

const both = {
  "config/rbac/role.yaml": `${role("ClusterRole")}---\n${role("Role")}`,
  "config/rbac/role_binding.yaml": `${binding("manager-rolebinding", "Role")}---\n${binding("nodes-rolebinding", "ClusterRole")}`,
};

it("makes the roles of a project with one role cluster-wide under their own names", async () => {
  const files = { "config/rbac/role.yaml": role("Role") };
  expect(await rolesOf(files, true)).toEqual([
    "Role manager-role in its namespace",
    "RoleBinding manager-rolebinding in its namespace -> Role manager-role",
  ]);
  expect(await rolesOf(files, false)).toEqual([
    "ClusterRole manager-role",
    "ClusterRoleBinding manager-rolebinding -> ClusterRole manager-role",
  ]);
});

it("renames a role if there is a ClusterRole with its name", async () => {
  expect(await rolesOf(both, true)).toEqual([
    "ClusterRole manager-role",
    "ClusterRoleBinding nodes-rolebinding -> ClusterRole manager-role",
    "Role manager-role in its namespace",
    "RoleBinding manager-rolebinding in its namespace -> Role manager-role",
  ]);
  expect(await rolesOf(both, false)).toEqual([
    "ClusterRole manager-role",
    "ClusterRole manager-role-namespaced",
    "ClusterRoleBinding manager-rolebinding -> ClusterRole manager-role-namespaced",
    "ClusterRoleBinding nodes-rolebinding -> ClusterRole manager-role",
  ]);
});

it("renames a binding if there is a ClusterRoleBinding with its name", async () => {
  const bindings = `${binding("manager-rolebinding", "Role")}---\n${binding("manager-rolebinding", "ClusterRole")}`;
  expect(await rolesOf({ ...both, "config/rbac/role_binding.yaml": bindings }, false)).toEqual([
    "ClusterRole manager-role",
    "ClusterRole manager-role-namespaced",
    "ClusterRoleBinding manager-rolebinding -> ClusterRole manager-role",
    "ClusterRoleBinding manager-rolebinding-namespaced -> ClusterRole manager-role-namespaced",
  ]);
});

it("keeps the ClusterRole to which a RoleBinding refers", async () => {
  const files = { ...both, "config/rbac/role_binding.yaml": binding("manager-rolebinding", "Role", "ClusterRole") };
  expect(await rolesOf(files, true)).toContain(
    "RoleBinding manager-rolebinding in its namespace -> ClusterRole manager-role",
  );
  expect(await rolesOf(files, false)).toContain("ClusterRoleBinding manager-rolebinding -> ClusterRole manager-role");
});
