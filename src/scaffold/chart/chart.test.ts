import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { runCli } from "../../cli/test-support/run-cli.ts";
import { readProject } from "../../project/project-file.ts";
import { sameValue, type Value } from "../../yaml/plain-values.ts";
import { openTree } from "../files/tree.ts";
import type { Resource } from "../kustomize/build/build.ts";
import { buildKustomization, openSources } from "../kustomize/build/build.ts";
import { openTemplates } from "../templates/templates.ts";
import { createApi, createWebhook, initProject, templatesDirectory } from "../test-support/game.ts";
import { snapshot } from "../test-support/tree.ts";
import type { Condition } from "./conditions.ts";
import { isManager, withRolloutOf } from "./manager.ts";
import { readModel } from "./model.ts";
import type { Node } from "./nodes.ts";
import { marks } from "./object.ts";
import { renderChart } from "./render.ts";
import { switchedTexts } from "./switches.ts";

/** Creates a directory for all tests of a suite. */
function directory(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-chart-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** Evaluates a condition. Supports the parts of Helm's language that conditions use. */
function evaluateCondition(condition: Condition, on: ReadonlySet<string>): boolean {
  if (condition === undefined) return true;
  const words = condition.match(/[()]|[^\s()]+/g) ?? [];
  const value = (): boolean => {
    const word = words.shift() ?? "";
    if (word === "(") {
      const inner = call();
      words.shift();
      return inner;
    }
    return on.has(word.replace(".Values.", ""));
  };
  const call = (): boolean => {
    const [word = ""] = words;
    if (!["and", "or", "not"].includes(word)) return value();
    words.shift();
    const values: boolean[] = [];
    while (words.length > 0 && words[0] !== ")") values.push(value());
    return word === "and" ? values.every(Boolean) : word === "or" ? values.some(Boolean) : values[0] !== true;
  };
  return call();
}

/** Evaluates a node with some switches enabled. */
function evaluated(node: Node, on: ReadonlySet<string>): Value {
  switch (node.is) {
    case "plain":
      return node.value;
    case "map":
      return Object.fromEntries(
        node.entries
          .filter(({ when }) => evaluateCondition(when, on))
          .map((entry) => [entry.key, evaluated(entry.node, on)]),
      );
    case "list":
      return node.items.filter(({ when }) => evaluateCondition(when, on)).map((each) => evaluated(each.node, on));
    case "either": {
      const match = node.cases.find(({ when }, at) => at === node.cases.length - 1 || evaluateCondition(when, on));
      return match === undefined ? null : evaluated(match.node, on);
    }
    default:
      throw new Error(`${node.is} before any rule`);
  }
}

const manifests: Readonly<Record<string, string>> = {
  "config/crd/bases/myapp.qingwave.github.io_games.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: games.myapp.qingwave.github.io
spec:
  group: myapp.qingwave.github.io
  description: 'braces {{ .Values.x }} and "quotes"'
  maximum: 9223372036854775807
`,
  "config/webhook/manifests.yaml": ["Mutating", "Validating"]
    .map(
      (kind) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}WebhookConfiguration
metadata:
  name: ${kind.toLowerCase()}-webhook-configuration
webhooks:
- name: game.kb.io
  clientConfig:
    service: {name: webhook-service, namespace: system, path: /x}
`,
    )
    .join(""),
};

describe("the model of a project with all features", () => {
  const root = directory();
  const read = (path: string) => manifests[path] ?? openTree(root).readText(path);
  const project = () => {
    const projectFile = readProject(read("PROJECT") ?? "");
    if ("message" in projectFile) throw new Error(projectFile.message);
    return projectFile;
  };

  beforeAll(async () => {
    await initProject(root);
    await createApi(root);
    await createWebhook(root, { defaulting: true, validation: true, conversion: true });
  });

  it("returns the same objects as kustomize for all combinations of switches", () => {
    const { switches, objects } = readModel(project(), read);
    expect(switches.map(({ value, on }) => `${value} ${on}`)).toEqual([
      "metrics.enabled true",
      "webhook.enabled true",
      "certManager.enabled true",
      "metrics.secure true",
      "metrics.certManager false",
      "prometheus.enabled false",
      "networkPolicy.enabled false",
      "sharding.enabled false",
    ]);
    const manager = objects.find((chartObject) => chartObject.isManager)?.now ?? {};
    const sources = openSources(read);
    for (let choice = 0; choice < 2 ** switches.length; choice++) {
      const wanted = new Set(switches.filter((_, bit) => (choice >> bit) & 1).map(({ value }) => value));
      const on = new Set<string>();
      for (const { value, needs } of switches) {
        if (wanted.has(value) && needs.every((need) => on.has(need))) on.add(value);
      }
      const built = switches
        .filter(({ value }) => !on.has(value))
        .reduce<readonly Resource[]>(
          (now, { without }) => without?.(now) ?? now,
          buildKustomization(sources.with(switchedTexts(switches, on, read)), "config/default", marks),
        );
      const made = objects
        .filter(({ when }) => evaluateCondition(when, wanted))
        .map(({ node }) => evaluated(node, wanted));
      expect(made.length, [...wanted].join()).toBe(built.length);
      for (const resource of built) {
        // The chart has values for the replicas and the rollout.
        const object = isManager(resource) ? withRolloutOf(resource.object, manager) : resource.object;
        const isMade = made.some((each) => sameValue(each, object));
        expect(isMade, `${object.kind} ${JSON.stringify(object.metadata)} with ${[...wanted].join()}`).toBe(true);
      }
    }
  });

  it("has CRDs with conversion webhooks only if webhooks are enabled", () => {
    const { objects } = readModel(project(), read);
    const definition = (on: ReadonlySet<string>) =>
      objects
        .filter(({ kind, when }) => kind === "CustomResourceDefinition" && evaluateCondition(when, on))
        .map(({ node }) => evaluated(node, on));
    expect(definition(new Set(["webhook.enabled"]))).toMatchObject([{ spec: { conversion: { strategy: "Webhook" } } }]);
    const [without] = definition(new Set());
    expect(without).toMatchObject({ spec: { group: "myapp.qingwave.github.io" } });
    expect(without).not.toHaveProperty("spec.conversion");
  });

  fullTest("is rendered to templates that escape the user's braces and keep all digits of large numbers", async () => {
    const { generated } = renderChart(project(), await openTemplates(templatesDirectory), read);
    const crd = generated.get("chart/templates/crd/games.myapp.qingwave.github.io.yaml");
    expect(crd).toContain('braces {{ "{{" }} .Values.x }}');
    expect(crd).toContain("maximum: 9223372036854775807");
    for (const text of generated.values()) expect(text).not.toMatch(/[\ue000\ue001]/);
  });
});

describe("edit --helm", () => {
  const root = directory();
  const path = (...parts: string[]) => join(root, ...parts);
  const read = (file: string) => readFileSync(path(file), "utf8");
  const edit = async (...args: string[]) => {
    const end = await runCli(root, ["edit", ...args]);
    expect(end).toMatchObject({ code: 0 });
    return end;
  };
  let was: Record<string, unknown> = {};

  beforeAll(async () => {
    await initProject(root);
    await createApi(root);
    was = snapshot(root);
    await edit("--helm");
  });

  it("is recorded, and from then on a part of make manifests", () => {
    expect(read("PROJECT")).toContain("plugins:\n  ts.kubewright.io/v1:\n    helm: true\n");
    expect(read("Makefile")).toMatch(/^\tscaffold edit --helm --quiet \$\(filter --check,\$\(GENERATE_FLAGS\)\)$/m);
    expect(JSON.parse(read("package.json")).scripts.manifests).toBe("scaffold manifests");
  });

  it("creates a complete chart, including the CRD, before make manifests ran", () => {
    for (const file of ["Chart.yaml", "values.yaml", "values.schema.json", ".helmignore", "templates/NOTES.txt"]) {
      expect(existsSync(path("chart", file)), file).toBe(true);
    }
    expect(existsSync(path("config/crd/bases"))).toBe(false);
    expect(read("chart/templates/crd/games.myapp.qingwave.github.io.yaml")).toContain("kind: Game");
    expect(read("chart/templates/rbac/manager-role.yaml")).toContain("games/status");
  });

  it("changes nothing if config/ hasn't changed", async () => {
    const now = snapshot(root);
    expect((await edit("--helm")).stdout).toContain("chart/ is up to date");
    expect(snapshot(root)).toEqual(now);
  });

  it("compares and writes nothing with --check", async () => {
    expect(await runCli(root, ["edit", "--helm", "--quiet", "--check"])).toMatchObject({ code: 0, stdout: "" });
    const manager = read("config/manager/manager.yaml");
    writeFileSync(path("config/manager/manager.yaml"), manager.replace("cpu: 500m", "cpu: 600m"));
    const now = snapshot(root);
    const end = await runCli(root, ["edit", "--helm", "--quiet", "--check"]);
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining("update chart/values.yaml") });
    expect(snapshot(root)).toEqual(now);
    writeFileSync(path("config/manager/manager.yaml"), manager);
  });

  it("reads octal modes and other values of YAML 1.1 as kubectl does", async () => {
    const manager = read("config/manager/manager.yaml");
    const volume = (indent: string) =>
      [
        "volumes:",
        "- name: token",
        "  secret: {secretName: token, defaultMode: 0400, optional: yes, items: [{key: b, path: b, mode: 1_0}]}",
      ]
        .map((line) => indent + line)
        .join("\n");
    const without = /\n( +)volumes: \[\]/;
    expect(manager).toMatch(without);
    writeFileSync(
      path("config/manager/manager.yaml"),
      manager.replace(without, (_, indent) => `\n${volume(indent)}`),
    );
    await edit("--helm");
    const text = Object.entries(snapshot(root)).find(([file]) => /^chart\/.*manager\.yaml$/.test(file))?.[1];
    expect(text).toMatch(/defaultMode: 256\n/);
    expect(text).toMatch(/mode: 10\n/);
    expect(text).toMatch(/optional: true\n/);
    writeFileSync(path("config/manager/manager.yaml"), manager);
    await edit("--helm");
  });

  it("updates the chart from config/, and keeps the user's changes and deletions", async () => {
    const [values, manager] = [path("chart/values.yaml"), path("config/manager/manager.yaml")];
    writeFileSync(values, read("chart/values.yaml").replace("replicas: 1", "replicas: 5 # enough"));
    writeFileSync(
      manager,
      read("config/manager/manager.yaml").replace("cpu: 500m", "cpu: 750m").replace("replicas: 1", "replicas: 2"),
    );
    writeFileSync(path("chart/templates/own.yaml"), "# mine\n");
    const taken = read("chart/templates/rbac/metrics-reader.yaml").split("\n").slice(1).join("\n");
    writeFileSync(path("chart/templates/rbac/metrics-reader.yaml"), taken);
    rmSync(path("chart/templates/NOTES.txt"));
    const end = await edit("--helm", "--enable", "prometheus");
    expect(end.stderr).toContain("chart/templates/rbac/metrics-reader.yaml is kept, because it has your changes");
    expect(read("chart/values.yaml")).toMatch(/replicas: 5 # enough/);
    expect(read("chart/values.yaml")).toMatch(/cpu: 750m/);
    expect(read("chart/values.yaml")).toMatch(/prometheus:\n(?:.*#.*\n)* +enabled: true/);
    expect(read("chart/templates/own.yaml")).toBe("# mine\n");
    expect(existsSync(path("chart/templates/NOTES.txt"))).toBe(false);
  });

  it("creates a chart that upgrade keeps", async () => {
    const now = snapshot(root);
    const chart = Object.keys(now).filter((file) => file.startsWith("chart/"));
    expect(await runCli(root, ["upgrade"])).toMatchObject({ code: 0 });
    for (const file of chart) expect(existsSync(path(file)), file).toBe(true);
  });

  it("removes templates of removed objects", async () => {
    const kustomization = path("config/rbac/kustomization.yaml");
    writeFileSync(kustomization, read("config/rbac/kustomization.yaml").replace("- game_viewer_role.yaml\n", ""));
    await edit("--helm");
    expect(existsSync(path("chart/templates/rbac/game-viewer-role.yaml"))).toBe(false);
    expect(existsSync(path("chart/templates/rbac/game-admin-role.yaml"))).toBe(true);
  });

  it("reports a file that it can't generate the chart from", async () => {
    const kustomization = path("config/default/kustomization.yaml");
    const text = readFileSync(kustomization, "utf8");
    writeFileSync(kustomization, `${text}\nhelmCharts:\n- name: x\n`);
    const end = await runCli(root, ["edit", "--helm"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("config/default/kustomization.yaml: kustomizations with helmCharts aren't supported");
    writeFileSync(kustomization, text);
  });

  it("removes the chart with --helm=false, except the user's changes", async () => {
    const end = await edit("--helm=false");
    expect(end.stderr).toContain("chart/values.yaml is kept, because it has your changes");
    const left = Object.keys(snapshot(root)).filter((file) => /^chart\/.*[^/]$/.test(file));
    expect(left).toEqual(["chart/templates/own.yaml", "chart/templates/rbac/metrics-reader.yaml", "chart/values.yaml"]);
    expect(read("PROJECT")).not.toContain("helm");
    expect(snapshot(root).Makefile).toBe(was.Makefile);
  });
});
