import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../../cli/test-support/run-cli.ts";
import { createApi, initProject } from "../test-support/game.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-chart-monitoring-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const cli = async (...args: string[]) => expect(await runCli(root, args), args.join(" ")).toMatchObject({ code: 0 });
const [alerts, dashboard] = ["alerts", "dashboard"].map(
  (name) => `chart/templates/monitoring/controller-manager-${name}.yaml`,
) as [string, string];

beforeAll(async () => {
  await initProject(root);
  await createApi(root);
  await cli("edit", "--helm");
});

it("a generator that was enabled before the chart stays in the Makefile without a conflict", async () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-chart-monitoring-")));
  await initProject(other);
  for (const args of [["--enable", "monitoring"], ["--helm"]]) {
    const end = await runCli(other, ["edit", ...args]);
    expect(end.code, end.stderr).toBe(0);
  }
  const makefile = readFileSync(join(other, "Makefile"), "utf8");
  expect(makefile).not.toContain("<<<<<<<");
  expect(makefile).toMatch(/\n\tscaffold generate .* monitoring .*\n\tscaffold edit --helm/);
  rmSync(other, { recursive: true });
});

it("a project without monitoring has no values for it", () => {
  expect(read("chart/values.yaml")).not.toContain("rules:");
  expect(existsSync(join(root, alerts))).toBe(false);
});

it("alerts and dashboard are templates with values that are off", async () => {
  await cli("edit", "--enable", "monitoring");
  await cli("manifests");
  expect(read("chart/values.yaml")).toContain(`prometheus:
  # A ServiceMonitor. Requires metrics.enabled.
  enabled: false
  # The alerts, as a PrometheusRule.
  rules:
    enabled: false
  # The dashboard, as a ConfigMap for the sidecar of Grafana.
  dashboard:
    enabled: false
`);
  const { properties } = JSON.parse(read("chart/values.schema.json"));
  expect(properties.prometheus.properties.rules.properties).toEqual({ enabled: { type: "boolean" } });
  expect(read(alerts)).toContain("{{- if .Values.prometheus.rules.enabled }}");
  expect(read(dashboard)).toContain("{{- if .Values.prometheus.dashboard.enabled }}");
});

it("alerts select the Service of the release, and keep the templates of Prometheus", () => {
  const text = read(alerts);
  expect(text).not.toContain('job=\\"mygame-');
  expect(text).toContain(
    'job=\\"{{ include "mygame.resourceName" (dict "suffix" "controller-manager-metrics-service" "context" $) }}\\"',
  );
  expect(text).toContain('{{ "{{" }} $labels.controller }}');
  expect(text).toContain('namespace: "{{ $.Release.Namespace }}"');
});

it("the dashboard keeps its text and its label", () => {
  const text = read(dashboard);
  expect(text).toContain('grafana_dashboard: "1"');
  expect(text).toContain('"legendFormat": "{{ "{{" }}pod}} p99"');
});

it("they are on if config/default deploys them", async () => {
  const path = join(root, "config/default/kustomization.yaml");
  writeFileSync(
    path,
    read("config/default/kustomization.yaml").replace("resources:\n", "resources:\n- ../monitoring\n"),
  );
  await cli("manifests");
  expect(read("chart/values.yaml")).toMatch(/ {2}rules:\n {4}enabled: true\n/);
  expect(read(alerts)).toContain("{{- if .Values.prometheus.rules.enabled }}");
});

it("they are removed with the generator", async () => {
  const path = join(root, "config/default/kustomization.yaml");
  writeFileSync(path, read("config/default/kustomization.yaml").replace("- ../monitoring\n", ""));
  await cli("edit", "--disable", "monitoring");
  await cli("manifests");
  expect(existsSync(join(root, alerts))).toBe(false);
  expect(read("chart/values.yaml")).not.toContain("rules:");
});
