import { basename, join, relative, resolve } from "node:path";
import { isObject } from "../../kubernetes/json.ts";
import { pascalCase } from "../../text/pascal-case.ts";
import { readValues } from "../../yaml/values.ts";
import type { MonitoringOptions } from "../options/index.ts";
import { generatedMark } from "../output/generated-files.ts";
import { directoryOf } from "../output/plan.ts";
import { toYaml } from "../output/yaml.ts";
import { general, type Run } from "../run/run.ts";
import { kindNamesIn, setupIn } from "../source/controllers.ts";
import { alertsOf } from "./alerts.ts";
import { dashboard } from "./dashboard.ts";
import type { Operator } from "./operator.ts";
import { prometheusRule, ruleGroups, rulesFile, ruleTests } from "./rules.ts";
import { runbook } from "./runbooks.ts";
import { newSettings, readSettings, type Settings, settingsFile } from "./settings.ts";

/** A generated file. */
export interface MonitoringFile {
  /** The path, relative to the output directory. */
  readonly name: string;
  readonly text: string;
  /** Whether the file is written only if it doesn't exist, because it is the user's then. */
  readonly isOnce?: true;
}

const dashboardFile = "dashboard.json";
const ruleFile = "prometheus-rule.yaml";

/** Generates alerts with their tests and runbooks, and a dashboard. */
export function monitoringFiles(run: Run, options: MonitoringOptions): MonitoringFile[] {
  const { cwd, config } = run.request;
  const directory = directoryOf(config.output.monitoring) ?? "config/monitoring";
  const settings = settingsOf(run, resolve(cwd, directory, settingsFile));
  if (settings === undefined) return [];
  const operator = operatorOf(run, options);
  const { settings: read, problems } = readSettings(settings.value, pascalCase(operator.project));
  for (const problem of problems) {
    run.report({ ...general("bad-monitoring-settings", problem), file: settings.file });
  }
  if (problems.length > 0) return [];
  return filesOf(operator, read, relative(resolve(cwd, directory), resolve(cwd, options.runbooks)));
}

function filesOf(operator: Operator, settings: Settings, runbooks: string): MonitoringFile[] {
  const alerts = alertsOf(operator, settings.alerts);
  const yaml = (name: string, document: object) => ({ name, text: yamlText(document) });
  const list = { configMapGenerator: [dashboardConfig(operator)], resources: [ruleFile] };
  return [
    yaml(ruleFile, prometheusRule(operator, alerts)),
    yaml(rulesFile, { groups: ruleGroups(operator, alerts) }),
    yaml("rules_test.yaml", ruleTests(operator, alerts)),
    { name: dashboardFile, text: `${JSON.stringify(dashboard(operator, settings.customMetrics), null, 2)}\n` },
    yaml("kustomization.yaml", { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...list }),
    { name: settingsFile, text: newSettings, isOnce: true },
    ...alerts.map(
      (alert): MonitoringFile => ({ name: join(runbooks, `${alert.name}.md`), text: runbook(alert), isOnce: true }),
    ),
  ];
}

/** Returns the generator of a ConfigMap that Grafana's sidecar loads. Its name is stable, so that the dashboard is replaced. */
function dashboardConfig(operator: Operator): object {
  return {
    files: [dashboardFile],
    name: "controller-manager-dashboard",
    namespace: "system",
    options: {
      disableNameSuffixHash: true,
      labels: { "app.kubernetes.io/name": operator.project, grafana_dashboard: "1" },
    },
  };
}

function yamlText(document: object): string {
  const result = toYaml(document);
  if ("problem" in result) throw new Error(result.problem);
  return `# ${generatedMark} Change monitoring.yaml instead.\n${result.text}`;
}

/** Returns the content of the settings; undefined if it can't be read, which is reported. */
function settingsOf({ files, report }: Run, file: string): { value: unknown; file: string } | undefined {
  if (!files.isFile(file)) return { value: undefined, file };
  try {
    const [value, ...more] = readValues(files.read(file));
    if (more.length === 0) return { value, file };
    report({ ...general("bad-monitoring-settings", "the file must have one document"), file });
  } catch (error) {
    report({ ...general("bad-monitoring-settings", (error as Error).message), file });
  }
  return undefined;
}

function operatorOf(run: Run, options: MonitoringOptions): Operator {
  const { cwd } = run.request;
  const at = (path: string) => fieldsOf(run, resolve(cwd, path));
  const recorded = textOf(at("PROJECT").projectName);
  const deployed = at("config/default/kustomization.yaml");
  const project =
    recorded ?? (textOf(deployed.namePrefix)?.replace(/-$/, "") || basename(cwd).replace(/[^A-Za-z0-9]+/g, "-"));
  const service = at("config/default/metrics_service.yaml").metadata;
  const serviceName = (isObject(service) ? textOf(service.name) : undefined) ?? "controller-manager-metrics-service";
  const runbookURL = options.runbookURL || repositoryRunbooks(at("package.json").repository, options.runbooks);
  return {
    project,
    job: `${textOf(deployed.namePrefix) ?? `${project}-`}${serviceName}`,
    ...setupOf(run),
    ...(runbookURL === undefined ? {} : { runbookURL: runbookURL.replace(/\/$/, "") }),
  };
}

/** Finds what the code sets up, in all files of the packages. */
function setupOf({ roots, sources }: Run): Pick<Operator, "controllers" | "lease" | "hasWebhooks"> {
  const texts = roots
    .flatMap(({ directory }) => sources.inDirectory(directory))
    .filter(({ path }) => !/\.(?:test|spec)\.\w+$/.test(path))
    .map(({ path }) => sources.textOf(path) ?? "");
  const setups = texts.map(setupIn);
  const controllers = setups.flatMap((setup) => setup.controllers);
  // Most controllers have a name of their own.
  const isNamed = controllers.every(({ name }) => name !== undefined);
  const kinds = new Map(isNamed ? [] : texts.flatMap((text) => [...kindNamesIn(text)]));
  const names = controllers.map(({ name, type = "" }) => name ?? (kinds.get(type) ?? type).toLowerCase());
  const [lease, ...others] = new Set(setups.flatMap(({ leases }) => leases));
  return {
    controllers: [...new Set(names)].filter((name) => name !== "").sort(),
    ...(lease === undefined || others.length > 0 ? {} : { lease }),
    hasWebhooks: setups.some((setup) => setup.hasWebhooks),
  };
}

/** Returns the fields of a file in YAML or JSON; none if it doesn't exist or isn't valid, because others report that. */
function fieldsOf({ files }: Run, path: string): Readonly<Record<string, unknown>> {
  if (!files.isFile(path)) return {};
  try {
    const [value] = readValues(files.read(path));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the address of the runbooks in a repository of GitHub or GitLab. */
function repositoryRunbooks(repository: unknown, directory: string): string | undefined {
  const text = textOf(isObject(repository) ? repository.url : repository) ?? "";
  const [scheme, ...rest] = text.includes("/") ? text.split(/github\.com[/:]|gitlab\.com[/:]/) : [];
  const isShort = rest.length === 0 && /^(?:github:)?[\w.-]+\/[\w.-]+$/.test(text);
  const path = isShort ? text.replace(/^github:/, "") : rest.length === 1 ? rest[0]?.replace(/(?:\.git)?\/?$/, "") : "";
  if (scheme === undefined || !path) return undefined;
  const isGitlab = text.includes("gitlab.com");
  const base = isGitlab ? `https://gitlab.com/${path}/-/blob` : `https://github.com/${path}/blob`;
  return `${base}/HEAD/${directory.replaceAll("\\", "/")}`;
}
