import { expect, it } from "vitest";
import {
  bases,
  controller,
  definition,
  directoryBeside,
  migrate,
  project,
  text,
  widget,
} from "../test-support/go-project.ts";

it("scaffold migrate watches one namespace if all roles are in it, because watches of all would be refused", async () => {
  const role = (namespace: string) =>
    `// +kubebuilder:rbac:groups=tools.example.org,namespace=${namespace},resources=widgetry,verbs=get;list;watch`;
  const scaffolded = async (...namespaces: string[]) => {
    const root = directoryBeside({
      PROJECT: project(widget("v1", "    namespaced: true\n  controller: true\n")),
      [bases]: definition.replace("scope: Cluster", "scope: Namespaced"),
      Makefile: "manifests:\n\tcontroller-gen rbac:roleName=manager-role crd paths=./...\n",
      "internal/controller/widget_controller.go": controller(...namespaces.map(role)),
    });
    return { root, end: await migrate(root) };
  };
  const one = await scaffolded("tools-system", "tools-system");
  expect(one.end).toMatchObject({ code: 0 });
  expect(one.end.stderr + one.end.stdout).toContain("all roles of the Go project are in the namespace tools-system");
  expect(text(one.root, "PROJECT")).toContain("\nnamespaced: true\n");
  expect(text(one.root, "src/main.ts")).toContain("defaultNamespaces: watchNamespacesFromEnv()");
  expect(text(one.root, "config/rbac/role_binding.yaml")).toContain("kind: RoleBinding");
  expect(text(one.root, "test/role.test.ts")).toContain('const namespace = "tools-system";');
  const other = await scaffolded("tools-other");
  expect(text(other.root, "test/role.test.ts")).toContain('const namespace = "tools-other";');
  const two = await scaffolded("tools-system", "other");
  expect(text(two.root, "src/main.ts")).not.toContain("watchNamespacesFromEnv");
  expect(two.end.stderr + two.end.stdout).toContain("only in the namespaces other, tools-system, but");
});
