import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { asControllerGen } from "../../../diagnostics/definitions/as-controller-gen.ts";
import { planUpgrade } from "../../../scaffold/commands/upgrade.ts";
import { openTree } from "../../../scaffold/files/tree.ts";
import { createApi, initProject } from "../../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

const testdata = join(import.meta.dirname, "../../../../testdata/from-crd");
const everything = join(testdata, "everything.yaml");
const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");

async function project(options: Parameters<typeof initProject>[1] = {}): Promise<string> {
  const root = testDirectory();
  await initProject(root, options);
  return root;
}

fullTest("creates types for all versions, and a controller and manifests for the stored version", async () => {
  const root = await project();
  const end = await runCli(root, ["create", "api", "--from-crd", everything]);
  expect(end).toMatchObject({ code: 0, stderr: "" });
  expect(text(root, "api/v1/groupversion-info.ts")).toContain("// +groupName=tools.example.org\n");
  expect(text(root, "api/v1/widget-types.ts")).toContain("export interface Widget extends KubernetesObject {");
  expect(text(root, "api/v1alpha1/widget-types.ts")).toContain("// +kubebuilder:unservedversion\n");
  expect(text(root, "src/main.ts").match(/WidgetReconciler\(/g)).toHaveLength(1);
  expect(text(root, "src/controller/widget-controller.ts")).toContain("#api/v1/index.ts");
  expect(text(root, "config/crd/kustomization.yaml")).toContain("- bases/tools.example.org_widgetry.yaml\n");
  const recorded = text(root, "PROJECT");
  expect(recorded).toContain("  group: tools.example.org\n  kind: Widget\n");
  expect(recorded).not.toContain("domain: example.org");
  // The definition contains everything that a schema can contain, also values that the API server rejects.
  const levels = Object.entries(asControllerGen).map(([id, level]) => `      ${id}: ${level}\n`);
  expect(recorded).not.toContain("plugins:");
  const content = `${recorded}plugins:\n  ts.kubewright.io/v1:\n    diagnostics:\n${levels.join("")}`;
  writeFileSync(join(root, "PROJECT"), content);
  const generated = await runCli(root, ["generate", "crd", "paths=./api/...", "output:dir=config/crd/bases"]);
  expect(generated.stderr.split("\n").filter((line) => line.includes("error"))).toEqual([]);
  expect(text(root, "config/crd/bases/tools.example.org_widgetry.yaml")).toContain("name: widgetry.tools.example.org");
});

fullTest("ends without reading standard input if it was interrupted while it loaded", async () => {
  const root = await project();
  const before = snapshot(root);
  const end = await runCli(root, ["create", "api", "--from-crd", "-"], { signal: AbortSignal.abort() });
  expect(end.code).toBe(130);
  expect(snapshot(root)).toEqual(before);
});

fullTest("removes the project's domain from the group in PROJECT", async () => {
  const root = await project({ domain: "example.org" });
  await runCli(root, ["create", "api", "--from-crd", everything, "--version", "v1"]);
  expect(text(root, "PROJECT")).toContain("  domain: example.org\n  group: tools\n");
  expect(text(root, "PROJECT")).not.toContain("v1alpha1");
});

fullTest("creates files that delete api removes completely", async () => {
  const root = await project();
  const before = snapshot(root);
  await runCli(root, ["create", "api", "--from-crd", everything]);
  for (const version of ["v1alpha1", "v1"]) {
    const names = ["--group", "tools.example.org", "--version", version, "--kind", "Widget"];
    expect((await runCli(root, ["delete", "api", ...names])).code).toBe(0);
  }
  expect(snapshot(root)).toEqual(before);
});

it("reads the definition from the standard input", async () => {
  const root = await project();
  const input = readFileSync(everything, "utf8");
  const end = await runCli(root, ["create", "api", "--from-crd", "-", "--controller=false"], { input });
  expect(end).toMatchObject({ code: 0, stderr: "" });
  expect(text(root, "src/main.ts")).not.toContain("Widget");
});

it("fetches the definition from a URL, and reports a failed request in one line", async () => {
  const server = createServer((request, answer) => {
    answer.statusCode = request.url === "/crd.yaml" ? 200 : 404;
    answer.end(readFileSync(everything));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const root = await project();
  const call = (path: string, at = port) =>
    runCli(root, ["create", "api", "--from-crd", `http://127.0.0.1:${at}${path}`]);
  expect((await call("/none")).stderr).toMatch(/^error: --from-crd .* can't be fetched: the server responded with 404/);
  expect((await call("/crd.yaml", 1)).stderr).toMatch(/^error: --from-crd .* can't be fetched: .+\n/);
  expect((await call("/crd.yaml")).code).toBe(0);
});

it("warns about the parts of a schema that types can't express", async () => {
  const root = await project();
  const end = await runCli(root, ["create", "api", "--from-crd", join(testdata, "unsayable.yaml")]);
  expect(end.stderr).toContain("not in the types: v1: .spec has oneOf\n");
});

it("chooses another type name if an existing kind uses it", async () => {
  const root = await project({ domain: "example.org" });
  await createApi(root, { group: "tools", kind: "WidgetSpecListed" });
  writeFileSync(join(root, "api/v1/widgetspeclisted-types.ts"), "export interface WidgetSpec {}\n");
  await runCli(root, ["create", "api", "--from-crd", everything]);
  expect(text(root, "api/v1/widget-types.ts")).toContain("export interface WidgetSpec2 {");
});

it("creates files that upgrade leaves unchanged, because the templates can't create them again", async () => {
  const root = await project();
  await runCli(root, ["create", "api", "--from-crd", everything]);
  const files = ["api/v1/widget-types.ts", "src/controller/widget-controller.test.ts"];
  const target = new Map(files.map((file) => [file, "// of a template\n"]));
  const { operations } = await planUpgrade(openTree(root), { target, header: "", artifacts: [] });
  for (const file of files) expect(operations.map(({ path }) => path)).not.toContain(file);
});

describe("an external group in a single-group project that has its own group", () => {
  const widget = ["--group", "tools.example.org", "--version", "v1", "--kind", "Widget"];

  async function both(): Promise<string> {
    const root = await project({ domain: "example.com" });
    await createApi(root, { group: "shop" });
    const end = await runCli(root, ["create", "api", "--from-crd", everything]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain("api/tools.example.org/v1/widget-types.ts");
    return root;
  }

  it("gets its own directories, which PROJECT records", async () => {
    const root = await both();
    expect(text(root, "api/v1/groupversion-info.ts")).toContain("// +groupName=shop.example.com\n");
    expect(text(root, "api/tools.example.org/v1/groupversion-info.ts")).toContain("// +groupName=tools.example.org\n");
    expect(text(root, "src/controller/tools.example.org/widget-controller.ts")).toContain(
      "#api/tools.example.org/v1/index.ts",
    );
    expect(text(root, "PROJECT")).toContain("path: qingwave.github.io/mygame/api/tools.example.org/v1\n");
    expect((await runCli(root, ["doctor"])).stdout).toContain(", complete");
  });

  fullTest("keeps its directories if kinds of the project's own group and webhooks are created", async () => {
    const root = await both();
    await createApi(root, { group: "shop", kind: "Chess" });
    expect(await runCli(root, ["create", "webhook", ...widget, "--defaulting"])).toMatchObject({ code: 0 });
    expect(Object.keys(snapshot(root))).toEqual(
      expect.arrayContaining(["api/v1/chess-types.ts", "src/webhook/tools.example.org/v1/widget-webhook.ts"]),
    );
    const test = text(root, "src/webhook/tools.example.org/v1/widget-webhook.test.ts");
    expect(test).toContain("Set the required fields.");
  });

  fullTest("is removed completely by delete webhook and delete api", async () => {
    const root = await project({ domain: "example.com" });
    await createApi(root, { group: "shop" });
    const was = snapshot(root);
    await runCli(root, ["create", "api", "--from-crd", everything]);
    await runCli(root, ["create", "webhook", ...widget, "--defaulting"]);
    expect(await runCli(root, ["delete", "webhook", ...widget])).toMatchObject({ code: 0 });
    for (const version of ["v1alpha1", "v1"]) {
      const names = ["--group", "tools.example.org", "--version", version, "--kind", "Widget"];
      expect(await runCli(root, ["delete", "api", ...names])).toMatchObject({ code: 0 });
    }
    expect(snapshot(root)).toEqual(was);
  });

  fullTest("keeps its directories with edit --multigroup and --multigroup=false", async () => {
    const root = await both();
    const was = snapshot(root);
    expect(await runCli(root, ["edit", "--multigroup"])).toMatchObject({ code: 0 });
    expect(Object.keys(snapshot(root))).toEqual(
      expect.arrayContaining(["api/shop/v1/game-types.ts", "api/tools.example.org/v1/widget-types.ts"]),
    );
    expect(await runCli(root, ["edit", "--multigroup=false"])).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(was);
  });

  it("doesn't allow a second group of the project's own", async () => {
    const root = await both();
    const end = await runCli(root, ["create", "api", "--group", "crew", "--version", "v1", "--kind", "Mate"]);
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr).toContain(
      "a single-group project supports one API group, here shop\n  hint: enable several groups with npx scaffold edit --multigroup\n",
    );
  });
});

describe("create api --from-crd --external", () => {
  const widget = ["--group", "tools.example.org", "--version", "v1", "--kind", "Widget"];
  const create = (root: string, ...more: string[]) =>
    runCli(root, ["create", "api", "--from-crd", everything, "--external", ...more]);

  it("creates types of all versions and a controller, and nothing in config/", async () => {
    const root = await project();
    const config = Object.keys(snapshot(root)).filter((path) => path.startsWith("config/"));
    expect(await create(root)).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(snapshot(root)).filter((path) => path.startsWith("config/"))).toEqual(config);
    const types = text(root, "api/external/tools.example.org/v1/widget-types.ts");
    expect(types).toContain("export interface Widget extends KubernetesObject {");
    expect(types).not.toMatch(/kubebuilder:(object|resource|printcolumn|subresource|storageversion)/);
    expect(snapshot(root)).toHaveProperty(["api/external/tools.example.org/v1alpha1/widget-types.ts"]);
    const controller = text(root, "src/controller/tools.example.org/widget-controller.ts");
    expect(controller).toContain('import { Widget } from "#api/external/tools.example.org/v1/index.ts";');
    expect(controller.match(/\+kubebuilder:rbac:.*/g)).toEqual([
      "+kubebuilder:rbac:groups=tools.example.org,resources=widgetry,verbs=get;list;watch",
    ]);
  });

  it("records the kind as an external kind, as kubebuilder does", async () => {
    const root = await project();
    await create(root, "--version", "v1", "--controller=false");
    const recorded = text(root, "PROJECT");
    expect(recorded).toContain("clusterScoped:\n    - tools.example.org/v1/Widget\n");
    expect(recorded.slice(recorded.indexOf("resources:\n"))).toBe(`resources:
- external: true
  group: tools.example.org
  kind: Widget
  path: qingwave.github.io/mygame/api/external/tools.example.org/v1
  plural: widgetry
  version: v1
version: "3"
`);
  });

  it("generates no CRD, only the permissions of the controller", async () => {
    const root = await project();
    await create(root);
    const generated = await runCli(root, ["generate"]);
    expect(generated).toEqual({ code: 0, stdout: "", stderr: "update config/rbac/role.yaml\n" });
    const files = Object.keys(snapshot(root));
    expect(files.filter((path) => /^config\/crd\/bases\/./.test(path))).toEqual([]);
    expect(text(root, "config/rbac/role.yaml")).toContain("  - widgetry\n  verbs:\n  - get\n  - list\n  - watch\n");
    expect((await runCli(root, ["doctor"])).stdout).toContain(", complete");
  });

  it("creates files that delete api removes completely", async () => {
    const root = await project();
    const before = snapshot(root);
    await create(root);
    for (const version of ["v1alpha1", "v1"]) {
      const names = ["--group", "tools.example.org", "--version", version, "--kind", "Widget"];
      expect(await runCli(root, ["delete", "api", ...names])).toMatchObject({ code: 0, stderr: "" });
    }
    expect(snapshot(root)).toEqual(before);
  });

  it("allows webhooks, which delete webhook removes", async () => {
    const root = await project();
    await create(root, "--controller=false");
    const before = snapshot(root);
    expect(await runCli(root, ["create", "webhook", ...widget, "--defaulting"])).toMatchObject({ code: 0 });
    const webhook = text(root, "src/webhook/tools.example.org/v1/widget-webhook.ts");
    expect(webhook).toContain('import { Widget } from "#api/external/tools.example.org/v1/index.ts";');
    expect(await runCli(root, ["delete", "webhook", ...widget])).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(before);
  });

  it("allows no conversion webhook, because the CRD belongs to another project", async () => {
    const root = await project();
    await create(root);
    const end = await runCli(root, ["create", "webhook", ...widget, "--conversion", "--spoke", "v1alpha1"]);
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr).toContain("only the owner of its CRD can convert it");
  });

  fullTest("allows a controller to be created later", async () => {
    const root = await project();
    await create(root, "--controller=false");
    const end = await runCli(root, ["create", "api", ...widget, "--resource=false"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, "src/main.ts")).toContain("new WidgetReconciler(mgr.client)");
  });

  it("allows own kinds of another group in a single-group project", async () => {
    const root = await project({ domain: "example.com" });
    await create(root);
    expect(await runCli(root, ["create", "api", "--group", "shop", "--version", "v1", "--kind", "Game"])).toMatchObject(
      {
        code: 0,
      },
    );
    expect(text(root, "config/crd/kustomization.yaml")).not.toContain("widgetry");
    expect(snapshot(root)).toHaveProperty(["api/v1/game-types.ts"]);
  });

  fullTest("creates files that stay in place with edit --multigroup", async () => {
    const root = await project({ domain: "example.com" });
    await createApi(root, { group: "shop" });
    await create(root);
    writeFileSync(join(root, "api/external/tools.example.org/v1/help.ts"), "export const help = 1;\n");
    const before = snapshot(root);
    expect(await runCli(root, ["edit", "--multigroup"])).toMatchObject({ code: 0 });
    expect(Object.keys(snapshot(root))).toEqual(
      expect.arrayContaining([
        "api/shop/v1/game-types.ts",
        "api/external/tools.example.org/v1/widget-types.ts",
        "api/external/tools.example.org/v1/help.ts",
        "src/controller/tools.example.org/widget-controller.ts",
      ]),
    );
    expect(await runCli(root, ["edit", "--multigroup=false"])).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(before);
  });

  fullTest("shares a group with the project's own kinds, in each order, and with edit --multigroup", async () => {
    const own = ["create", "api", "--group", "tools", "--version", "v1", "--kind", "Saw"];
    for (const isFirst of [true, false]) {
      const root = await project({ domain: "example.org" });
      if (isFirst) await runCli(root, own);
      await create(root);
      if (!isFirst) expect(await runCli(root, own)).toMatchObject({ code: 0, stderr: "" });
      expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
      const files = Object.keys(snapshot(root));
      expect(files.filter((path) => /^config\/crd\/bases\/./.test(path))).toEqual([
        "config/crd/bases/tools.example.org_saws.yaml",
      ]);
      expect(files).toEqual(expect.arrayContaining(["api/v1/saw-types.ts", "api/external/tools/v1/widget-types.ts"]));
      expect(text(root, "config/rbac/role.yaml")).toContain("  - widgetry\n  verbs:\n  - get\n  - list\n  - watch\n");
      expect((await runCli(root, ["doctor"])).stdout).toContain(", complete");
      const before = snapshot(root);
      expect((await runCli(root, ["upgrade", "--dry-run"])).stdout).not.toMatch(/widget|saw|tools/);
      expect(await runCli(root, ["edit", "--multigroup"])).toMatchObject({ code: 0 });
      expect(Object.keys(snapshot(root))).toEqual(
        expect.arrayContaining(["api/tools/v1/saw-types.ts", "api/external/tools/v1/widget-types.ts"]),
      );
      expect(await runCli(root, ["edit", "--multigroup=false"])).toMatchObject({ code: 0 });
      expect(snapshot(root)).toEqual(before);
      for (const version of ["v1alpha1", "v1"]) {
        const names = ["--group", "tools", "--version", version, "--kind", "Widget"];
        expect(await runCli(root, ["delete", "api", ...names])).toMatchObject({ code: 0 });
      }
      expect(
        Object.keys(snapshot(root)).filter((path) => path.includes("external") || path.includes("widget")),
      ).toEqual([]);
    }
  });

  fullTest("leaves nothing to upgrade, also after edits", async () => {
    const root = await project();
    await create(root);
    await runCli(root, ["create", "webhook", ...widget, "--programmatic-validation"]);
    const types = "api/external/tools.example.org/v1/widget-types.ts";
    writeFileSync(join(root, types), `${text(root, types)}\nexport const mine = 1;\n`);
    const end = await runCli(root, ["upgrade", "--dry-run"]);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stdout).not.toMatch(/widget|tools\.example\.org/);
  });
});

it("fills the sample from the CRD", async () => {
  const root = await project();
  const definition = join(import.meta.dirname, "../../../../e2e/matrix/testdata/definition.yaml");
  await runCli(root, ["create", "api", "--from-crd", definition]);
  expect(
    text(root, "config/samples/stable.example.org_v1_backup.yaml"),
  ).toBe(`# Made from the CustomResourceDefinition backups.stable.example.org.
apiVersion: stable.example.org/v1
kind: Backup
metadata:
  labels:
    app.kubernetes.io/name: mygame
    app.kubernetes.io/managed-by: kustomize
  name: backup-sample
spec:
  schedule: 0 3 * * *
  mode: Full
  enabled: false
  size: 3
  ratio: 0.5
  owner: ops
  targets:
  - name: example
    port: 1
`);
  const target = new Map([["config/samples/stable.example.org_v1_backup.yaml", "spec: {}\n"]]);
  expect(
    (await planUpgrade(openTree(root), { target, header: "", artifacts: [] })).operations.map(({ path }) => path),
  ).not.toContain("config/samples/stable.example.org_v1_backup.yaml");
});

it("creates a webhook test file only with the first webhook that has a test", async () => {
  const root = await project();
  await runCli(root, ["create", "api", "--from-crd", everything]);
  const webhook = (command: string, ...types: string[]) =>
    runCli(root, [command, "webhook", "--group", "tools.example.org", "--version", "v1", "--kind", "Widget", ...types]);
  await webhook("create", "--conversion", "--spoke", "v1alpha1");
  const file = "src/webhook/v1/widget-webhook.test.ts";
  expect(snapshot(root)).not.toHaveProperty([file]);
  const before = snapshot(root);
  await webhook("create", "--defaulting");
  expect(text(root, file)).toContain('describe("WidgetDefaulter"');
  await webhook("delete", "--defaulting");
  expect(snapshot(root)).toEqual(before);
});
