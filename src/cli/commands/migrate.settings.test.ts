// Parts of a Go project besides PROJECT and the types.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { variants } from "../../../scripts/test-support/thorough.ts";
import {
  bases,
  controller,
  definition,
  directoryBeside,
  hooks,
  main,
  migrate,
  project,
  text,
  widget,
  widgets,
} from "../test-support/go-project.ts";
import { runCli } from "../test-support/run-cli.ts";

describe("scaffold migrate", () => {
  const empty =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  names:\n    kind: ""\n    plural: ""\n';
  const named = (group: string, kind: string) =>
    definition
      .replaceAll("tools.example.org", group)
      .replaceAll("widgetry", `${kind.toLowerCase()}s`)
      .replaceAll(/(kind: |listKind: )Widget/g, `$1${kind}`)
      .replace("singular: widget", `singular: ${kind.toLowerCase()}`);

  const withoutGroup = [
    ["only a domain", "  domain: example.org\n"],
    ["only a group", "  group: example.org\n"],
    ["the group within the domain", '  domain: example.org\n  group: ""\n'],
  ] as const;
  it.each(variants(withoutGroup, 0))("writes a kind without a group once, if PROJECT has %s", async (_, keys) => {
    const entry = `- api:\n    crdVersion: v1\n${keys}  kind: Gadget\n  path: example.org/tools/api/v1\n  version: v1\n`;
    const root = directoryBeside({ PROJECT: project(entry), [bases]: named("example.org", "Gadget") });
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, "PROJECT").match(/kind: Gadget/g)).toHaveLength(2);
    expect(text(root, "PROJECT")).not.toContain("group:");
    expect(existsSync(join(root, "api/v1/gadget-types.ts"))).toBe(true);
  });

  fullTest("reads kinds that early versions of kubebuilder recorded with their group and kind only", async () => {
    const entry = "# The first kind.\n- group: tools\n  kind: Gadget\n  version: v1\n";
    const root = directoryBeside({ PROJECT: project(entry), [bases]: named("tools.example.org", "Gadget") });
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, "PROJECT")).toContain("# The first kind.\n- api:");
    expect(text(root, "PROJECT").match(/kind: Gadget/g)).toHaveLength(2);
    expect(text(root, "api/v1/groupversion-info.ts")).toContain('"tools.example.org"');
  });

  fullTest("reads the same kind in two groups that repeat their domain", async () => {
    const entry = (group: string) =>
      `- api:\n    crdVersion: v1\n  controller: true\n  domain: ${group}\n  group: ${group}\n  kind: Gadget\n  path: example.org/tools/api/${group}/v1\n  version: v1\n`;
    const root = directoryBeside({
      PROJECT: project(entry("one.example.com") + entry("example.org")),
      "config/crd/bases/one.example.com_gadgets.yaml": named("one.example.com", "Gadget"),
      "config/crd/bases/example.org_gadgets.yaml": named("example.org", "Gadget"),
    });
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no definition") });
    expect(text(root, "PROJECT").match(/kind: Gadget/g)).toHaveLength(4);
    expect(text(root, "PROJECT")).not.toContain("one.example.com.one.example.com");
    expect(
      text(root, "PROJECT")
        .match(/^ {2}(group|domain): .*$/gm)
        ?.sort(),
    ).toEqual([
      "  domain: example.org",
      "  domain: example.org",
      "  group: one.example.com",
      "  group: one.example.com",
    ]);
  });

  fullTest("writes role markers with an empty group as the generator reads it", async () => {
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "internal/controller/widget_controller.go": controller(
        "//+kubebuilder:rbac:groups=,resources=pods,verbs=get",
        "//+kubebuilder:rbac:resources=nodes,verbs=get,groups=",
        "",
        "func x() {}",
      ),
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    const markers = text(root, "src/controller/widget-controller.ts").match(/\+kubebuilder:rbac:.*/g);
    expect(markers).toEqual([
      '+kubebuilder:rbac:groups="",resources=pods,verbs=get',
      '+kubebuilder:rbac:resources=nodes,verbs=get,groups=""',
    ]);
    expect(await runCli(root, ["generate", "rbac:roleName=a", "paths=./src/..."])).toMatchObject({ code: 0 });
  });

  fullTest("leaves out kinds of which only PROJECT is left", async () => {
    const gone = widget("v1", "  controller: true\n").replaceAll("Widget", "Gone");
    const declared = gone.replaceAll("Gone", "Kept").replace("widgetry", "kepts");
    const root = directoryBeside({
      PROJECT: project(widgets + gone.replace("widgetry", "gones") + declared),
      [bases]: definition,
      "api/v1/types.go": "package v1\n\ntype Widget struct {\n}\n\ntype (\n\tKept struct {\n\t}\n)\n",
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    expect(stderr).toContain("not taken over: Gone of tools.example.org/v1 is in PROJECT, but the Go code has no type");
    expect(stderr).toContain("Kept has no definition in config/crd/bases: run make manifests");
    expect(text(root, "PROJECT").match(/kind: \w+/g)).toEqual(["kind: Widget", "kind: Widget", "kind: Kept"]);
  });

  fullTest("names a project without a name in PROJECT after its directory", async () => {
    const root = directoryBeside({ PROJECT: project().replace("projectName: tools\n", ""), "main.go": main });
    expect(await migrate(root)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("PROJECT has no projectName: it is go now, the name of the directory"),
    });
    expect(text(root, "PROJECT")).toContain("projectName: go\n");
  });

  fullTest("removes the only kind if it has no types, and the comment above it", async () => {
    const entry = "# Another module has it.\n- group: tools\n  kind: Gadget\n  version: v1\n  controller: true\n";
    const root = directoryBeside({ PROJECT: project(entry) });
    expect(await migrate(root)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("not taken over: Gadget of tools/v1 has a controller in PROJECT, but no types"),
    });
    expect(text(root, "PROJECT")).not.toContain("Gadget");
  });

  fullTest("creates directories for each of several groups", async () => {
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "config/crd/bases/other.example.org_gadgets.yaml": named("other.example.org", "Gadget"),
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "set multigroup: true in PROJECT, because the project has the groups other.example.org, tools.example.org",
    );
    expect(text(root, "api/other/v1/groupversion-info.ts")).toContain("other.example.org");
    expect(text(root, "api/tools/v1/groupversion-info.ts")).toContain("tools.example.org");
  });

  fullTest("creates directories for each of several groups, also with other domains", async () => {
    const old = widget("v1")
      .replace("group: tools", "group: old.example.com")
      .replace("domain: example.org", "domain: old.example.com");
    const whole = widget("v1").replace("group: tools", "group: example.org");
    const root = directoryBeside({
      PROJECT: project(old + whole),
      "config/crd/bases/old.example.com_widgets.yaml": named("old.example.com", "Widget"),
      "config/crd/bases/example.org_widgets.yaml": named("example.org", "Widget"),
    });
    const { code, stderr } = await migrate(root);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("set multigroup: true") });
    expect(text(root, "api/old.example.com/v1/groupversion-info.ts")).toContain("old.example.com");
    expect(text(root, "api/v1/groupversion-info.ts")).toContain("example.org");
  });

  it("takes over the Lease, the namespace and the name prefix", async () => {
    const root = directoryBeside({
      PROJECT: project(),
      "cmd/main.go": main,
      "config/default/kustomization.yaml":
        "namespace: old-system\nnamePrefix: old-\nresources: [../rbac, ../manager]\n",
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "src/main.ts")).toContain('leaderElectionID: "0a1b2c3d.example.org"');
    expect(text(root, "config/rbac/leader_election_role.yaml")).toContain('- "0a1b2c3d.example.org"\n');
    expect(text(root, "config/default/kustomization.yaml").match(/^name.*$/gm)).toEqual([
      "namespace: old-system",
      "namePrefix: old-",
    ]);
    expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0 });
  });

  it("reports what was converted per kind, and the functions that are left, with their lines", async () => {
    const go = (...lines: string[]) => `package x\n\n${lines.map((line) => `${line} {\n}\n`).join("")}`;
    const spoke =
      "  webhooks:\n    conversion: true\n    defaulting: true\n    spoke:\n    - v1alpha1\n    webhookVersion: v1\n";
    const root = directoryBeside({
      PROJECT: project(widget("v1alpha1") + widget("v1", `  controller: true\n${spoke}`)),
      [bases]: definition,
      "internal/controller/widget_controller.go": go(
        "func (r *WidgetReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error)",
      ),
      "internal/controller/node_controller.go": go(
        "func (r *NodeReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error)",
      ),
      "api/v1alpha1/widget_conversion.go": go(
        "func (src *Widget) ConvertTo(dst conversion.Hub) error",
        "func (dst *Widget) ConvertFrom(src conversion.Hub) error",
      ),
    });
    const { stdout } = await migrate(root);
    expect(stdout.slice(stdout.indexOf("Widget ("))).toBe(
      [
        "Widget (tools.example.org/v1alpha1, v1): types, sample, conversion, controller, webhook",
        "  api/v1alpha1/widget_conversion.go:3: ConvertTo -> api/v1alpha1/widget-conversion.ts",
        "  api/v1alpha1/widget_conversion.go:5: ConvertFrom -> api/v1alpha1/widget-conversion.ts",
        "  internal/controller/widget_controller.go:3: Reconcile -> src/controller/widget-controller.ts",
        "  src/webhook/v1/widget-webhook.ts: no Go code was found for it",
        "code without a skeleton in the new project:",
        "  internal/controller/node_controller.go:3: Reconcile",
        "Converted tools, except its code. Next (without make, npm run manifests and npm test do the same):",
        "  npm install",
        "  make manifests",
        "  git diff --no-index ../go/config config",
        "  npx scaffold generate --check --against ../go",
        "  make test",
        "",
      ].join("\n"),
    );
  });

  fullTest("reports the same as JSON, with the notes", async () => {
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "internal/controller/widget_controller.go": controller(
        "func (r *WidgetReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {\n}",
      ),
      "pkg/x.go": "package x\n",
    });
    const { stdout } = await migrate(root, "--json", "--dry-run");
    expect(JSON.parse(stdout).report).toEqual({
      kinds: [
        {
          ...{ group: "tools.example.org", kind: "Widget", versions: ["v1alpha1", "v1"] },
          converted: ["types", "sample", "controller"],
          byHand: [
            {
              ...{ name: "Reconcile", at: "internal/controller/widget_controller.go:3" },
              file: "src/controller/widget-controller.ts",
            },
          ],
        },
      ],
      other: [],
      notes: expect.arrayContaining(["not taken over: pkg/"]),
      check: expect.arrayContaining(["make manifests", "npx scaffold generate --check --against ../go"]),
    });
  });

  it("takes over the options of controller-gen, and only the markers in its paths", async () => {
    const marker = (resource: string) =>
      controller(`// +kubebuilder:rbac:groups=core,resources=${resource},verbs=get`, "");
    const calls = [
      '\t$(CONTROLLER_GEN) $(CRD_OPTIONS) paths="./api/..." output:crd:artifacts:config=config/crd/bases',
      '\t$(CONTROLLER_GEN) rbac:roleName=tools-role paths="./internal/controller"',
    ];
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      Makefile: `CRD_OPTIONS ?= "crd:maxDescLen=0"\nmanifests: controller-gen\n${calls.join("\n")}\n`,
      "internal/controller/widget_controller.go": marker("pods"),
      "internal/controller/hub/widget_controller.go": marker("secrets"),
      "internal/controller/widget_controller_windows.go": marker("services"),
      "cmd/main.go": `${main}\n${marker("nodes")}`,
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "Makefile")).toContain(
      "\tscaffold generate rbac:roleName=tools-role crd:maxDescLen=0 paths=./... output:crd:artifacts:config=config/crd/bases $(GENERATE_FLAGS)\n",
    );
    expect(text(root, "config/rbac/role_binding.yaml")).toContain("  name: tools-role\nsubjects:");
    const markers = [...text(root, "src/controller/widget-controller.ts").matchAll(/kubebuilder:rbac:(\S+)/g)];
    expect(markers.map(([, marker]) => marker)).toEqual(["groups=core,resources=pods,verbs=get"]);
    expect(text(root, "src/main.ts")).not.toContain("kubebuilder:rbac");
  });

  it("removes the scaffolded role markers, also without a Go file of the controller's name", async () => {
    const rbac = "// +kubebuilder:rbac:groups=tools.example.org,resources=widgetry,verbs=get";
    const root = directoryBeside({
      PROJECT: project(widgets),
      "internal/controller/reconciler.go": controller(rbac, "", "func x() {}"),
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "src/controller/widget-controller.ts")).not.toContain("kubebuilder:rbac");
    expect(text(root, "src/main.ts").match(/^.*kubebuilder:rbac.*$/gm)).toEqual([rbac]);
  });

  it("copies a role and webhooks that are written by hand, and binds the role", async () => {
    // controller-gen doesn't read markers in the documentation of a declaration.
    const marker = "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get\nfunc x() {}";
    const role =
      "kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata:\n  name: operator\nrules: []\n";
    const webhook = "kind: ValidatingWebhookConfiguration\nmetadata:\n  name: mine\n";
    const root = directoryBeside({
      PROJECT: project(widget("v1", `${hooks}  controller: true\n`)),
      [bases]: definition,
      "config/rbac/role.yaml": role,
      "config/webhook/manifests.yaml": webhook,
      "internal/controller/widget_controller.go": controller(marker),
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    for (const path of ["config/rbac/role.yaml", "config/webhook/manifests.yaml"]) {
      expect(stderr).toContain(`${path} is copied from ${path}, because controller-gen reads no markers for it`);
    }
    const generators = ["rbac:roleName=manager-role", "webhook", "paths=./..."];
    expect(await runCli(root, ["generate", ...generators])).toMatchObject({ code: 0 });
    expect(text(root, "config/rbac/role.yaml")).toBe(role);
    expect(text(root, "config/webhook/manifests.yaml")).toBe(webhook);
    expect(text(root, "config/rbac/role_binding.yaml")).toContain("  name: operator\nsubjects:");
  });

  fullTest("copies a role that is written by hand from the directory in the Makefile", async () => {
    const root = directoryBeside({
      PROJECT: project(),
      Makefile: "manifests:\n\tcontroller-gen rbac:roleName=a paths=./... output:rbac:dir=config/base/rbac\n",
      "config/base/rbac/role.yaml": "kind: ClusterRole\nmetadata:\n  name: mine\n",
      "main.go": main,
    });
    const { stderr } = await migrate(root);
    expect(stderr).toContain("config/rbac/role.yaml is copied from config/base/rbac/role.yaml");
    expect(stderr).not.toContain("not taken over: config/base");
    expect(text(root, "config/rbac/role.yaml")).toContain("name: mine");
  });

  it("lists webhooks that are written by hand if PROJECT has none, and a role without markers", async () => {
    const root = directoryBeside({
      PROJECT: project(),
      "config/webhook/manifests.yaml": "kind: ValidatingWebhookConfiguration\n",
      "main.go": main,
    });
    const { stderr } = await migrate(root);
    expect(stderr).toContain("not taken over: config/\n");
    expect(stderr).toContain(
      "controller-gen reads no role markers in the Go code, so the controllers have scaffolded ones",
    );
  });

  it("recognizes kinds of Kubernetes by their path", async () => {
    const pod =
      "- group: core\n  kind: Pod\n  path: k8s.io/api/core/v1\n  version: v1\n  webhooks:\n    defaulting: true\n    webhookVersion: v1\n";
    const root = directoryBeside({ PROJECT: project(widgets + pod), [bases]: definition });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "PROJECT")).toContain("- core: true\n  group: core\n  kind: Pod\n");
    expect(text(root, "src/webhook/v1/pod-webhook.ts")).toContain('from "@kubewright/runtime/api/core/v1"');
  });

  it("finds CRDs in charts, and those of --crds", async () => {
    const files = { PROJECT: project(widgets), "charts/tools/crds/all.yaml": `${empty}---\n${definition}` };
    const root = directoryBeside({ PROJECT: project(widgets), "charts/tools/crds/all.yaml": definition });
    expect(await migrate(root)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the types of Widget are from charts/tools/crds/all.yaml"),
    });
    expect(text(root, "api/v1/widget-types.ts")).toContain("Made from the CustomResourceDefinition widgetry.");
    const other = directoryBeside({ ...files, "charts/tools/crds/all.yaml": "", "elsewhere/a.yaml": definition });
    expect(await migrate(other, "--crds", "../go/elsewhere")).toMatchObject({ code: 0 });
    expect(text(other, "api/v1/widget-types.ts")).toContain("Made from the CustomResourceDefinition widgetry.");
  });

  fullTest("leaves out files in crd/bases without a kind", async () => {
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "config/crd/bases/_.yaml": empty,
      "config/crd/bases/pod.yaml": "kind: Pod\n",
    });
    const { code, stderr } = await migrate(root);
    expect(code).toBe(0);
    expect(stderr).toContain("config/crd/bases/_.yaml is left out: it is a CustomResourceDefinition without a kind");
    expect(stderr).toContain("config/crd/bases/pod.yaml is left out: it contains no CustomResourceDefinition");
  });

  fullTest("names the command for a webhook that PROJECT doesn't record", async () => {
    const own =
      "+kubebuilder:webhook:path=/mutate-tools-example-org-v1-widget,mutating=true,failurePolicy=fail,sideEffects=None,groups=tools.example.org,resources=widgetry,verbs=create,versions=v1,name=m.kb.io,admissionReviewVersions=v1";
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "internal/webhook/v1/widget_webhook.go": controller(`// ${own}`, "", "func x() {}"),
    });
    expect((await migrate(root)).stderr).toContain(
      "run npx scaffold create webhook --group tools --version v1 --kind Widget --defaulting, and move the marker there",
    );
    expect(text(root, "src/main.ts")).toContain(`// ${own}\n`);
  });

  fullTest("creates a type with another name for a kind that can't be one", async () => {
    const entry = widget("v1", "  controller: true\n").replace("kind: Widget", "kind: Promise");
    const root = directoryBeside({
      PROJECT: project(entry),
      [bases]: definition.replace("kind: Widget\n", "kind: Promise\n"),
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "PROJECT")).toContain("kind: Promise\n");
    expect(text(root, "api/v1/promise-types.ts")).toContain("export interface PromiseKind extends KubernetesObject");
    expect(text(root, "src/controller/promise-controller.ts")).toContain("PromiseKind");
  });
});
