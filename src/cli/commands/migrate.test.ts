// `scaffold migrate`; e2e/migrate follows docs/guides/migrate.md with a project that kubebuilder created.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshot } from "../../scaffold/test-support/tree.ts";
import {
  bases,
  controller,
  definition,
  directoryBeside,
  type Files,
  goProject,
  hooks,
  issuer,
  main,
  migrate,
  project,
  text,
  widget,
  widgets,
} from "../test-support/go-project.ts";
import { expectRefusal, type Row } from "../test-support/refusal.ts";
import { runCli } from "../test-support/run-cli.ts";

describe("scaffold migrate", () => {
  it("converts kinds, types, license header and PROJECT, and leaves the Go project unchanged", async () => {
    const files = { PROJECT: project(widgets), "hack/boilerplate.go.txt": "/*\nTheirs.\n*/\n", [bases]: definition };
    const root = directoryBeside(files);
    const before = snapshot(join(root, "../go"));
    const end = await migrate(root);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain(
      "\nConverted tools, except its code. Next (without make, npm run manifests and npm test do the same):\n  npm install\n  make manifests\n  git diff --no-index ../go/config config\n",
    );
    expect(text(root, "api/v1/widget-types.ts")).toContain("Made from the CustomResourceDefinition widgetry.");
    expect(text(root, "api/v1alpha1/widget-types.ts")).toContain("// +kubebuilder:unservedversion\n");
    expect(text(root, "src/controller/widget-controller.ts")).toMatch(/^\/\*\nTheirs\.\n\*\//);
    expect(text(root, "PROJECT").replace(/^cliVersion: .*\n/m, "")).toBe(
      project(widgets).replace("go.kubebuilder.io/v4", "ts.kubewright.io/v1"),
    );
    expect(snapshot(join(root, "../go"))).toEqual(before);
    expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0 });
  });

  it("lists files without a counterpart, and additions to config/", async () => {
    const manager = [
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: controller-manager\n  namespace: system\n",
      "spec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n",
      "      - name: manager\n        image: controller:latest\n        env:\n        - name: REGION\n          value: north\n",
      "      tolerations:\n      - { key: gpu, effect: NoSchedule }\n      topologySpreadConstraints:\n",
      "      - { maxSkew: 1, topologyKey: zone, labelSelector: { matchLabels: { app: a-long-name-of-an-app } } }\n",
    ].join("");
    const files = {
      PROJECT: project(widgets),
      [bases]: definition,
      "go.mod": "module example.org/tools\n",
      "cmd/main.go": main,
      "pkg/scores/scores.go": "package scores\n",
      "api/v1/widget_types.go": "package v1\n",
      "api/v1/phases.go": "package v1\n",
      "internal/controller/widget_controller.go": "package controller\n",
      "internal/controller/suite_test.go": "package controller\n",
      "internal/controller/metrics.go": "package controller\n",
      "internal/controller/render/deployment.go": "package render\n",
      "cmd/flags.go": "package main\n",
      "grafana/runtime.json": "{}\n",
      "grafana/custom/config.yaml": "a: b\n",
      "config/manager/manager.yaml": manager,
      "config/manager/extra.yaml": "a: b\n",
    };
    const { code, stderr } = await migrate(directoryBeside(files));
    expect(code).toBe(0);
    expect(stderr.split("\n").slice(0, -1)).toEqual(
      [
        "api/v1/phases.go",
        "cmd/flags.go",
        "config/manager/extra.yaml",
        "config/manager/manager.yaml: Deployment controller-manager, spec.replicas",
        "config/manager/manager.yaml: Deployment controller-manager, spec.template.spec.containers[manager].env[REGION]",
        "config/manager/manager.yaml: Deployment controller-manager, spec.template.spec.tolerations[key: gpu, effect: NoSchedule]",
        "config/manager/manager.yaml: Deployment controller-manager, spec.template.spec.topologySpreadConstraints[maxSkew: 1, topologyKey: zone, labelSelector: { matchLabels…]",
        "grafana/",
        "internal/controller/metrics.go",
        "internal/controller/render/",
        "pkg/",
      ]
        .map((what) => `not taken over: ${what}`)
        .toSpliced(
          0,
          0,
          expect.stringContaining("so the controllers have scaffolded ones for config/rbac/role.yaml"),
          expect.stringContaining("the Go project has no config/default/kustomization.yaml: compare"),
        ),
    );
  });

  it("reads the controllers of a kubebuilder v3 project from their former directory", async () => {
    const rbac = "//+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get";
    const files = {
      PROJECT: project(widgets, "layout:\n- go.kubebuilder.io/v3\n"),
      "controllers/widget_controller.go": controller(rbac),
    };
    const root = directoryBeside(files);
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "src/controller/widget-controller.ts").match(/^.*kubebuilder:rbac.*$/gm)).toEqual([
      rbac.replace("//", "// "),
    ]);
  });

  it("copies the RBAC markers and the changed webhook markers, and not the unchanged ones", async () => {
    const webhook = (more: string) =>
      `+kubebuilder:webhook:path=/mutate-tools-example-org-v1-widget,mutating=true,failurePolicy=${more},sideEffects=None,groups=tools.example.org,resources=widgetry,verbs=create,versions=v1,name=mwidget.kb.io,admissionReviewVersions=v1`;
    const other = "+kubebuilder:webhook:path=/elsewhere,mutating=false";
    const configuration = "+kubebuilder:webhookconfiguration:mutating=true,name=tools";
    const root = directoryBeside({
      PROJECT: project(`${widget("v1", "  controller: true\n")}${hooks}`),
      "internal/controller/widget_controller.go": controller(
        "// +kubebuilder:rbac:groups=tools.example.org,resources=widgetry,verbs=get  ",
      ),
      "internal/controller/widget_controller_test.go": controller(
        "// +kubebuilder:rbac:groups=test,resources=a,verbs=get",
      ),
      "internal/webhook/v1/widget_webhook.go": controller(`// ${webhook("ignore")}`, `// ${other}`),
      "cmd/main.go": `${main}\n// ${configuration}\n`,
      "vendor/a/controller/widget_controller.go": controller(
        "// +kubebuilder:rbac:groups=vendor,resources=a,verbs=get",
      ),
    });
    const end = await migrate(root);
    expect(end.stderr.split("\n").slice(0, -1)).toEqual([
      "Widget has no definition in config/crd/bases: run make manifests in the Go project and migrate again, or edit its scaffolded types by hand",
      "internal/webhook/v1/widget_webhook.go:4: the webhook at /elsewhere isn't served yet, and its marker is at the end of src/main.ts: PROJECT has no kind for it; serve the path in the new project, or remove the marker",
    ]);
    const found = (path: string) => text(root, path).match(/\/\/ \+kubebuilder:(rbac|webhook).*$/gm);
    expect(found("src/controller/widget-controller.ts")).toEqual([
      "// +kubebuilder:rbac:groups=tools.example.org,resources=widgetry,verbs=get",
    ]);
    expect(found("src/webhook/v1/widget-webhook.ts")).toEqual([`// ${webhook("ignore")}`]);
    expect(text(root, "src/main.ts").match(/^\/\/ \+kubebuilder:webhook.*$/gm)).toEqual([
      `// ${configuration}`,
      `// ${other}`,
    ]);
    // The markers belong to the user: a later version of the templates doesn't remove them.
    expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0 });
  });

  it("creates a kind from a CRD that PROJECT doesn't list", async () => {
    const root = directoryBeside({ PROJECT: project(), "config/components/crd/bases/a.yaml": definition });
    const end = await migrate(root);
    expect(end).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("widgetry.tools.example.org has no kind in"),
    });
    expect(text(root, "PROJECT")).toContain("  group: tools\n  kind: Widget\n");
    expect(existsSync(join(root, "api/v1/widget-types.ts"))).toBe(true);
    expect(existsSync(join(root, "src/controller"))).toBe(false);
  });

  it("uses the group of the CRD if PROJECT has another one", async () => {
    const root = directoryBeside({
      PROJECT: project(widgets.replaceAll("group: tools", "group: old")),
      [bases]: definition,
    });
    const end = await migrate(root);
    const line = "changed the group of Widget from old.example.org (in PROJECT) to tools.example.org (in its CRD)\n";
    expect(end).toMatchObject({ code: 0, stderr: line });
    expect(text(root, "PROJECT").match(/group: .*/g)).toEqual(["group: tools", "group: tools"]);
    expect(text(root, "src/main.ts").match(/WidgetReconciler\(/g)).toHaveLength(1);
  });

  it("copies samples that the user has filled", async () => {
    const sample = (version: string, spec: string) =>
      `apiVersion: tools.example.org/${version}\nkind: Widget\nmetadata:\n  name: mine\n${spec}`;
    const mine = sample("v1", "spec:\n  # Mine.\n  kind-of: A\n  list:\n  - name: a\n");
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "config/samples/tools_v1_widget.yaml": mine,
      "config/samples/tools_v1alpha1_widget.yaml": sample("v1alpha1", "spec:\n  # TODO(user): Add fields here\n"),
      "config/samples/kustomization.yaml": "resources: []\n",
    });
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, "config/samples/tools_v1_widget.yaml")).toBe(mine);
    expect(text(root, "config/samples/tools_v1alpha1_widget.yaml")).toContain("Made from the CustomResourceDefinition");
    expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0 });
  });

  it("doesn't copy samples that the API server rejects", async () => {
    const sample = (spec: string) =>
      `apiVersion: tools.example.org/v1\nkind: Widget\nmetadata:\n  name: mine\nspec:\n  list:\n  - name: a\n${spec}`;
    const root = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "config/samples/tools_v1_widget.yaml": sample("  kind-of: [A]\n"),
    });
    const note = "not taken over: config/samples/tools_v1_widget.yaml:8: the API server rejects it: ";
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: expect.stringContaining(note) });
    expect(text(root, "config/samples/tools_v1_widget.yaml")).toContain("Made from the CustomResourceDefinition");
    const another = directoryBeside({
      PROJECT: project(widgets),
      [bases]: definition,
      "config/samples/a.yaml": sample("  kind-of: C\n"),
      "config/samples/b.yaml": sample("  kind-of: b c\n"),
    });
    expect(await migrate(another)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("rejects") });
    expect(text(another, "config/samples/tools_v1_widget.yaml")).toBe(sample("  kind-of: b c\n"));
  });

  it("uses the CRD's versions, and moves a missing version's controller to the stored one", async () => {
    const files = { PROJECT: project(`${widget("v1beta9", "  controller: true\n")}${hooks}`), [bases]: definition };
    const root = directoryBeside(files);
    const line = "Widget has no version v1beta9 in its definition: what PROJECT had of it is of v1 now\n";
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: line });
    expect(text(root, "PROJECT").match(/ version: .*/g)).toEqual([" version: v1", " version: v1alpha1"]);
    expect(existsSync(join(root, "api/v1beta9"))).toBe(false);
    expect(text(root, "src/main.ts").match(/WidgetReconciler\(/g)).toHaveLength(1);
    expect(existsSync(join(root, "src/webhook/v1/widget-webhook.ts"))).toBe(true);
  });

  it("uses the CRD of config/crd/bases if there are two", async () => {
    const old = definition.replaceAll("description: ", "description: Old. ");
    const root = directoryBeside({
      PROJECT: project(),
      "config/olm/crd/bases/a.yaml": old,
      "config/crd/bases/kustomization.yaml": "resources: []\n",
      [bases]: definition,
    });
    expect(await migrate(root)).toMatchObject({ code: 0 });
    expect(text(root, "api/v1/widget-types.ts")).not.toContain("Old. ");
  });

  it("records external kinds with the package in --external-apis", async () => {
    const root = directoryBeside({ PROJECT: project(issuer) });
    const module = "@kubernetes-models/cert-manager";
    const apis = `other.io/v1=other,cert-manager.io/v1=${module}@6.0.0/cert-manager.io/v1`;
    expect(await migrate(root, "--external-apis", apis)).toMatchObject({ code: 0 });
    expect(text(root, "PROJECT")).toContain(`  module: "${module}@6.0.0"\n  path: "${module}/cert-manager.io/v1"\n`);
    expect(JSON.parse(text(root, "package.json")).dependencies[module]).toBe("6.0.0");
    expect(text(root, "src/controller/issuer-controller.ts")).toContain(`from "${module}/cert-manager.io/v1"`);
  });

  it("merges into an existing package.json, and keeps the user's files", async () => {
    const root = directoryBeside({ PROJECT: project() });
    writeFileSync(join(root, "package.json"), '{ "devDependencies": { "left": "1.0.0" } }\n');
    writeFileSync(join(root, "README.md"), "Mine.\n");
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: expect.stringContaining("kept README.md") });
    expect(text(root, "README.md")).toBe("Mine.\n");
    expect(JSON.parse(text(root, "package.json")).devDependencies.left).toBe("1.0.0");
  });

  it("lists the files with --dry-run and writes nothing", async () => {
    const root = directoryBeside({ PROJECT: project(widgets), [bases]: definition });
    const end = await migrate(root, "--dry-run");
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining("create api/v1/widget-types.ts\n") });
    expect(existsSync(join(root, "PROJECT"))).toBe(false);
  });
});

describe("scaffold migrate rejects", () => {
  const call = "migrate go";
  const layout = (key: string) => ({ PROJECT: project("", `layout:\n- ${key}\n`) });
  const external = { PROJECT: project(issuer) };
  const missing = "PROJECT has external kinds (cert-manager.io/v1)";
  const rows: (readonly [Files, Row])[] = [
    [{}, ["no directory", "migrate", 2, "scaffold migrate requires the directory of a kubebuilder project"]],
    [{}, ["a missing directory", "migrate none", 2, '"none" isn\'t a directory']],
    [{ "go.mod": "" }, ["a directory without a kubebuilder project", call, 1, '"go" isn\'t a kubebuilder project']],
    [{ "go.mod": "" }, ["the current directory", "migrate .", 2, "a project can't be migrated in place"]],
    [{ "go.mod": "" }, ["two directories", `${call} more`, 2, 'unexpected argument "more"']],
    [
      layout("helm.sdk/v1"),
      ["another tool's project", call, 1, "the project's layout helm.sdk/v1 isn't supported: only kubebuilder's"],
    ],
    [
      layout("ts.kubewright.io/v1"),
      ["a project of kubewright", call, 1, "the project's layout ts.kubewright.io/v1 isn't supported"],
    ],
    [
      { PROJECT: 'version: "2"\n' },
      ["a project of kubebuilder v2", call, 1, "PROJECT has version 2: scaffold migrate reads version 3"],
    ],
    [{ PROJECT: "a: [\n" }, ["an invalid PROJECT", call, 1, "PROJECT can't be read"]],
    [external, ["external types without a package", call, 1, missing]],
    [external, ["a package for another API", `${call} --external-apis cert-manager.io/v1beta1=x`, 1, missing]],
    [
      external,
      [
        "an API without its package",
        `${call} --external-apis cert-manager.io/v1`,
        2,
        '"cert-manager.io/v1" isn\'t valid: use <group>/<v',
      ],
    ],
    [
      external,
      ["a path instead of a package", `${call} --external-apis cert-manager.io/v1=../types`, 2, "error: --external-ap"],
    ],
    [
      { PROJECT: project(widgets), [bases]: "a: [\n" },
      ["a CRD file that can't be read", call, 2, `${bases} can't be read as YAML or JSON`],
    ],
    [
      {
        PROJECT: project(),
        "main.go": 'package main\n\nvar options = ctrl.Options{LeaderElectionID: fmt.Sprintf("%x", hash)}\n',
      },
      ["a Lease that only the running program knows", call, 1, "the name of the Lease can't be read from the Go code"],
    ],
    [{ PROJECT: project() }, ["a bad Lease", `${call} --leader-election-id A_b`, 2, "isn't the name of a Lease"]],
    [
      { PROJECT: project() },
      ["a missing directory of CRDs", `${call} --crds none`, 2, '--crds "none" isn\'t a directory'],
    ],
  ];
  it.each(rows.map(([files, row]) => [row[0], files, row] as const))("%s", (_, files, row) =>
    expectRefusal(goProject(files), row),
  );

  it("a target directory that contains a project", () =>
    expectRefusal(
      async (root) => {
        goProject({ PROJECT: project() })(root);
        await runCli(root, ["migrate", "go", "--fetch-deps=false"]);
      },
      ["a project", call, 1, "this directory already contains a project"],
    ));
});
