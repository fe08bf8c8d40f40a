import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  bases,
  controller,
  definition,
  directoryBeside,
  type Files,
  migrate,
  project,
  text,
  widget,
} from "../test-support/go-project.ts";
import { runCli } from "../test-support/run-cli.ts";

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
  expect(one.end.stderr).toContain("the roles for the kinds of the Go project are in the namespace tools-system");
  expect(text(one.root, "PROJECT")).toContain("\nnamespaced: true\n");
  expect(text(one.root, "src/main.ts")).toContain("defaultNamespaces: watchNamespacesFromEnv()");
  expect(text(one.root, "config/rbac/role_binding.yaml")).toContain("kind: RoleBinding");
  expect(text(one.root, "test/role.test.ts")).toContain('const namespace = "tools-system";');
  const other = await scaffolded("tools-other");
  expect(text(other.root, "test/role.test.ts")).toContain('const namespace = "tools-other";');
  const two = await scaffolded("tools-system", "other");
  expect(text(two.root, "src/main.ts")).not.toContain("watchNamespacesFromEnv");
  expect(two.end.stderr).toContain("only in the namespaces other, tools-system, but");
});

describe("scaffold migrate", () => {
  const widgetRole = (more: string) =>
    `// +kubebuilder:rbac:groups=tools.example.org${more},resources=widgetry,verbs=get;list;watch;update`;
  const bindings = "config/rbac/role_binding.yaml";
  async function migrated(markers: readonly string[], files: Files = {}) {
    const root = directoryBeside({
      PROJECT: project(widget("v1", "    namespaced: true\n  controller: true\n")),
      [bases]: definition.replace("scope: Cluster", "scope: Namespaced"),
      Makefile: "manifests:\n\tcontroller-gen rbac:roleName=manager-role crd paths=./...\n",
      "internal/controller/widget_controller.go": controller(...markers),
      ...files,
    });
    const end = await migrate(root);
    expect(end).toMatchObject({ code: 0 });
    return { root, notes: end.stderr };
  }
  const bound = (root: string) =>
    parseAllDocuments(text(root, bindings)).map((document) => {
      const { kind, metadata, roleRef } = document.toJS();
      return `${kind} ${metadata.name}${metadata.namespace ? ` in ${metadata.namespace}` : ""}: ${roleRef.kind} ${roleRef.name}`;
    });

  it("watches the namespace of its kinds, and binds both roles", async () => {
    const classes = "// +kubebuilder:rbac:groups=storage.k8s.io,resources=storageclasses,verbs=get;list;watch";
    const { root, notes } = await migrated([widgetRole(",namespace=tools-system"), classes]);
    expect(notes).toContain("the roles for the kinds of the Go project are in the namespace tools-system");
    expect(text(root, "PROJECT")).toContain("\nnamespaced: true\n");
    expect(text(root, "src/main.ts")).toContain("defaultNamespaces: watchNamespacesFromEnv()");
    expect(bound(root)).toEqual([
      "RoleBinding manager-rolebinding in tools-system: Role manager-role",
      "ClusterRoleBinding manager-cluster-rolebinding: ClusterRole manager-role",
    ]);
  });

  it("names the bindings as in the Go project, so that they replace those in the cluster", async () => {
    const binding = (kind: string, name: string, role: string) =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}Binding\nmetadata:\n  name: ${name}\nroleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ${kind}\n  name: ${role}\nsubjects:\n- kind: ServiceAccount\n  name: controller-manager\n`;
    const classes = "// +kubebuilder:rbac:groups=storage.k8s.io,resources=storageclasses,verbs=get;list;watch";
    const { root } = await migrated([widgetRole(",namespace=tools-system"), classes], {
      [bindings]: `${binding("Role", "manager-rolebinding", "manager-role")}---\n${binding("ClusterRole", "manager-res-rolebinding", "tools-manager-role")}`,
    });
    expect(bound(root)).toContain("ClusterRoleBinding manager-res-rolebinding: ClusterRole manager-role");
  });

  it("watches all namespaces if a role of its kinds is for the cluster, and binds the role in the namespace, too", async () => {
    const secrets = '// +kubebuilder:rbac:groups="",namespace=system,resources=secrets,verbs=get';
    const { root } = await migrated([widgetRole(""), secrets]);
    expect(text(root, "PROJECT")).not.toContain("namespaced: true\nplugins");
    expect(text(root, "src/main.ts")).not.toContain("watchNamespacesFromEnv");
    expect(bound(root)).toEqual([
      "ClusterRoleBinding manager-rolebinding: ClusterRole manager-role",
      "RoleBinding manager-namespaced-rolebinding in system: Role manager-role",
    ]);
  });

  it("watches one namespace also if another kind is cluster-scoped and has a role for the cluster", async () => {
    const gadget = widget("v1", "  controller: true\n").replace("Widget", "Gadget").replace("widgetry", "gadgets");
    const { root } = await migrated(
      [
        widgetRole(",namespace=tools-system"),
        "// +kubebuilder:rbac:groups=tools.example.org,resources=gadgets,verbs=get;list;watch",
      ],
      {
        PROJECT: project(widget("v1", "    namespaced: true\n  controller: true\n") + gadget),
        "config/crd/bases/tools.example.org_gadgets.yaml": definition
          .replaceAll("Widget", "Gadget")
          .replaceAll("widgetry", "gadgets"),
      },
    );
    expect(text(root, "src/main.ts")).toContain("watchNamespacesFromEnv");
    expect(bound(root)).toEqual(["RoleBinding manager-rolebinding in tools-system: Role manager-role"]);
    expect(text(root, "config/rbac/cluster_role_binding.yaml")).toContain("kind: ClusterRole\n  name: manager-role");
  });

  it("binds roles that are written by hand as the Go project does, and no others", async () => {
    const role = (kind: string, name: string) =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nrules: []\n`;
    const { root } = await migrated([], {
      "config/rbac/role.yaml": `${["tools", "users"].map((name) => role("ClusterRole", name)).join("---\n")}---\n${role("Role", "tools")}`,
      [bindings]: `${role("ClusterRoleBinding", "one")}roleRef: {kind: ClusterRole, name: tools}\n---\n${role("RoleBinding", "two")}roleRef: {kind: Role, name: tools}\n`,
    });
    expect(bound(root)).toEqual([
      "ClusterRoleBinding manager-rolebinding: ClusterRole tools",
      "RoleBinding two: Role tools",
    ]);
  });

  it("ignores permissions that watch nothing, such as reads of single objects", async () => {
    const { root } = await migrated([
      widgetRole(",namespace=tools-system"),
      "// +kubebuilder:rbac:groups=tools.example.org,resources=widgetry,verbs=get",
    ]);
    expect(text(root, "src/main.ts")).toContain("watchNamespacesFromEnv");
  });

  const outside = {
    Makefile: "manifests:\n\tcontroller-gen rbac:roleName=manager-role crd paths=./api/...\n",
    "config/rbac/operator_role.yaml":
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: operator\n",
  };
  const inController = (root: string) =>
    text(root, "src/controller/widget-controller.ts").match(/^\/\/ \+kubebuilder:rbac.*/gm);

  it("copies the markers of packages outside the paths of controller-gen if no package inside has markers", async () => {
    const { root, notes } = await migrated([widgetRole("")], outside);
    expect(inController(root)).toEqual([widgetRole("")]);
    expect(notes).toContain(
      "the role markers of internal/controller/widget_controller.go are copied although controller-gen isn't called for its package",
    );
  });

  it("keeps the scaffolded markers if no package has markers, so that the controller starts, and lists the files with roles", async () => {
    const { root, notes } = await migrated([], outside);
    expect(inController(root)).toContain(
      "// +kubebuilder:rbac:groups=tools.example.org,resources=widgetry/status,verbs=get;update;patch",
    );
    expect(notes).toContain("add markers for the permissions of the Go operator in config/rbac/operator_role.yaml");
  });

  it("generates the role, to which the binding refers, also if the Makefile generates only CRDs", async () => {
    const Makefile = "manifests:\n\tcontroller-gen crd paths=./...\n";
    for (const markers of [[], [widgetRole("")]]) {
      const { root } = await migrated(markers, { Makefile });
      expect(text(root, "Makefile")).toContain("\tscaffold generate rbac:roleName=manager-role crd paths=./...");
      const generators = ["rbac:roleName=manager-role", "paths=./..."];
      expect(await runCli(root, ["generate", ...generators])).toMatchObject({ code: 0 });
      expect(text(root, "config/rbac/role.yaml")).toMatch(/name: manager-role[\s\S]*- widgetry/);
    }
    const role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: mine\nrules: []\n";
    const { root } = await migrated([], { Makefile, "config/rbac/role.yaml": role });
    expect(text(root, "Makefile")).toContain("\tscaffold generate crd paths=./...");
    expect(text(root, "config/rbac/role.yaml")).toBe(role);
  });

  it("starts no controllers of another program, which the role doesn't let watch their kind", async () => {
    const gadget = widget("v1", "  controller: true\n").replace("Widget", "Gadget").replace("widgetry", "gadgets");
    const files = {
      PROJECT: project(widget("v1", "    namespaced: true\n  controller: true\n") + gadget),
      "config/crd/bases/tools.example.org_gadgets.yaml": definition
        .replaceAll("Widget", "Gadget")
        .replaceAll("widgetry", "gadgets"),
    };
    const { root, notes } = await migrated([widgetRole("")], files);
    expect(text(root, "src/main.ts")).toContain("await new WidgetReconciler(mgr.client).setupWithManager(mgr);");
    expect(text(root, "src/main.ts")).not.toContain("Gadget");
    expect(text(root, "src/controller/gadget-controller.ts")).toContain("class GadgetReconciler");
    expect(notes).toContain(
      "src/main.ts doesn't start GadgetReconciler: the role of the Go operator doesn't let it list and watch gadgets, so another program",
    );
    const gadgets = "// +kubebuilder:rbac:groups=tools.example.org,resources=gadgets,verbs=watch";
    const both = await migrated([widgetRole(""), gadgets], files);
    expect(text(both.root, "src/main.ts")).toContain("await new GadgetReconciler(");
    const none = await migrated([gadgets.replace("gadgets", "others")], files);
    expect(text(none.root, "src/main.ts")).toContain("await new GadgetReconciler(");
  });
});
