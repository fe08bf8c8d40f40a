import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../cli/test-support/run-cli.ts";
import { createApi, createWebhook, initProject } from "../test-support/game.ts";
import { snapshot } from "../test-support/tree.ts";

const crd = "chart-crds/templates/games.myapp.qingwave.github.io.yaml";
const workflow = ".github/workflows/release-chart.yml";

/** Creates a project with the Game. */
function project(): { root: string; read: (path: string) => string; cli: (...args: string[]) => Promise<void> } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-crd-chart-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return {
    root,
    read: (path) => readFileSync(join(root, path), "utf8"),
    cli: async (...args) => expect(await runCli(root, args), args.join(" ")).toMatchObject({ code: 0 }),
  };
}

describe("edit --helm --crd-chart", () => {
  const { root, read, cli } = project();
  beforeAll(async () => {
    await initProject(root);
    await createApi(root);
  });

  it.each(["--crd-chart", "--publish"])("%s requires a chart", async (flag) => {
    expect(await runCli(root, ["edit", flag])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${flag}: the project has no Helm chart\n  hint: add --helm`),
    });
  });

  it("creates a chart with the CRDs, which the first chart no longer installs", async () => {
    await cli("edit", "--helm", "--crd-chart");
    expect(read("PROJECT")).toContain("    crdChart: true\n");
    expect(read("chart-crds/Chart.yaml")).toMatch(/^name: mygame-crds$/m);
    expect(read("chart-crds/values.yaml")).toBe(`# CustomResourceDefinitions of the project.
crd:
  # Keep the CRDs and all custom resources when the release is uninstalled.
  keep: true
`);
    expect(JSON.parse(read("chart-crds/values.schema.json")).properties.crd.required).toEqual(["keep"]);
    expect(read(crd)).toContain("kind: CustomResourceDefinition");
    expect(read(crd)).not.toContain(".Values.crd.enabled");
    expect(read("chart/values.yaml")).toMatch(/^crd:\n( *#.*\n)* +enabled: false$/m);
  });

  it("follows the types with make manifests, and keeps your changes of its values", async () => {
    const types = join(root, "api/v1/game-types.ts");
    writeFileSync(
      types,
      read("api/v1/game-types.ts").replace(
        "export interface GameSpec {",
        "export interface GameSpec {\n  level?: string;",
      ),
    );
    writeFileSync(
      join(root, "chart-crds/values.yaml"),
      read("chart-crds/values.yaml").replace("keep: true", "keep: false # tests"),
    );
    await cli("manifests");
    expect(read(crd)).toContain("level:");
    expect(read("chart-crds/values.yaml")).toContain("keep: false # tests");
    const now = snapshot(root);
    await cli("manifests");
    expect(snapshot(root)).toEqual(now);
  });

  it("--publish creates a workflow with pinned actions and minimal permissions", async () => {
    await cli("edit", "--publish");
    const text = read(workflow);
    expect(text).toContain("permissions: {}");
    expect(text.match(/^ {6}[a-z-]+: (?:read|write)$/gm)).toEqual([
      "      contents: read",
      "      packages: write",
      "      id-token: write",
    ]);
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/);
    expect(text).toMatch(/TOKEN: \$\{\{ secrets\.GITHUB_TOKEN \}\}/);
    expect(text).toContain("npm ci --ignore-scripts");
  });

  it("removes chart and workflow with =false, and both with the first chart", async () => {
    writeFileSync(
      join(root, "chart-crds/values.yaml"),
      read("chart-crds/values.yaml").replace("false # tests", "true"),
    );
    await cli("edit", "--crd-chart=false", "--publish=false");
    expect([existsSync(join(root, crd)), existsSync(join(root, workflow))]).toEqual([false, false]);
    expect(read("chart/values.yaml")).toMatch(/^crd:\n( *#.*\n)* +enabled: true$/m);
    expect(read("PROJECT")).not.toContain("crdChart");
    await cli("edit", "--crd-chart", "--publish");
    await cli("edit", "--helm=false");
    expect(Object.keys(snapshot(root)).filter((path) => /^chart|release-chart/.test(path))).toEqual([]);
    expect(read("PROJECT")).not.toMatch(/helm|crdChart|publishChart/);
  });
});

describe("the chart of CRDs with conversion webhooks", () => {
  const { root, read, cli } = project();
  beforeAll(async () => {
    await initProject(root);
    await createApi(root);
    await createWebhook(root, { defaulting: true, validation: true, conversion: true });
    await cli("edit", "--helm", "--crd-chart");
    await cli("manifests");
  });

  it("has values for the release of the operator, and for its webhooks", () => {
    expect(read(crd)).toContain(
      'name: "{{ include "mygame-crds.resourceName" (dict "suffix" "webhook-service" "context" $) }}"',
    );
    expect(read(crd)).toContain("{{- if .Values.webhook.enabled }}");
    expect(read("chart-crds/values.yaml")).toContain("fullname: mygame\n");
    const used = [...read(crd).matchAll(/\.Values\.([\w.]+)/g)].map(([, value = ""]) => value);
    const { properties } = JSON.parse(read("chart-crds/values.schema.json"));
    for (const value of used) {
      const [section = "", key = ""] = value.split(".");
      expect(properties[section].properties[key], value).toBeDefined();
    }
  });
});
