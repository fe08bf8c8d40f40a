import { basename } from "node:path/posix";
import type { Project } from "../../project/project-file.ts";
import type { Value } from "../../yaml/plain-values.ts";
import type { Templates } from "../templates/templates.ts";
import { isHelperRole } from "./cluster-wide.ts";
import { both } from "./conditions.ts";
import { emit } from "./emit.ts";
import { type ChartModel, readModel } from "./model.ts";
import { type ChartObject, marks } from "./object.ts";
import { ruled } from "./rules.ts";
import { textsFor } from "./texts.ts";
import { crdFieldsFor, fieldsFor, valuesSchema, valuesYaml } from "./values.ts";

/** The chart's directory in a project. */
export const chartDirectory = "chart";

/** The directory of the chart with the CRDs. */
export const crdChartDirectory = "chart-crds";

/** The first line of templates that are rendered again each time. */
export const generatedMark = "{{- /* Rendered from config/ by scaffold edit --helm: changes here are lost. */ -}}";

/** The files of the charts, by path. */
export interface Chart {
  /** Templates that are determined by config/ alone. */
  readonly generated: ReadonlyMap<string, string>;
  /** Files that users change: changes since the last run are merged into them. */
  readonly scaffolded: ReadonlyMap<string, string>;
}

/**
 * Renders a project's charts from the kustomizations in its config/, which `kubectl kustomize config/default` builds too.
 *
 * @throws ProblemError if config/ is incomplete, or uses features that aren't supported
 */
export function renderChart(
  project: Project,
  templates: Templates,
  readText: (path: string) => string | undefined,
): Chart {
  const model = readModel(project, readText);
  const { projectName: chart, namespaced } = project;
  const texts = textsFor(
    chart,
    model.objects.map(({ name }) => name),
  );
  const generated = new Map<string, string>();
  const manager: Record<string, Value> = {};
  for (const object of model.objects) {
    // Helm creates the release's namespace.
    if (object.kind === "Namespace" && object.name === marks.namespace) continue;
    const { when, node, manager: values } = ruled(object, { chart, projectName: chart, namespaced, model });
    Object.assign(manager, values);
    const path = pathOf(object, generated);
    const body = emit(node, texts);
    const lines = when === undefined ? body : [`{{- if ${both(when)} }}`, ...body, "{{- end }}"];
    generated.set(path, `${[generatedMark, ...lines].join("\n")}\n`);
  }
  const fields = fieldsFor({ ...featuresOf(model), manager, namespaced, crdChart: project.crdChart });
  const scaffolded = new Map(
    templates.render("chart", { projectName: chart }).map(({ path, content }) => [path, content]),
  );
  scaffolded.set(`${chartDirectory}/values.yaml`, valuesYaml(fields));
  scaffolded.set(`${chartDirectory}/values.schema.json`, valuesSchema(fields, `Values of the chart ${chart}`));
  if (project.crdChart) addCrdChart({ generated, scaffolded }, project, templates, model);
  if (project.publishesChart) {
    for (const { path, content } of templates.render("chart-release", { crdChart: project.crdChart }))
      scaffolded.set(path, content);
  }
  return { generated, scaffolded };
}

interface Files {
  readonly generated: Map<string, string>;
  readonly scaffolded: Map<string, string>;
}

/** Adds the chart with the CRDs. Its values are those that its templates use. */
function addCrdChart(
  { generated, scaffolded }: Files,
  project: Project,
  templates: Templates,
  model: ChartModel,
): void {
  const { projectName, namespaced } = project;
  const chart = `${projectName}-crds`;
  const crds = model.objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const texts = textsFor(
    chart,
    model.objects.map(({ name }) => name),
  );
  let used = "";
  for (const object of crds) {
    const { node } = ruled(object, { chart, projectName, namespaced, model });
    const body = emit(node, texts);
    const lines = object.when === undefined ? body : [`{{- if ${object.when} }}`, ...body, "{{- end }}"];
    const text = `${[generatedMark, ...lines].join("\n")}\n`;
    generated.set(`${crdChartDirectory}/templates/${basename(object.name)}.yaml`, text);
    used += text;
  }
  const fields = crdFieldsFor({ switches: model.switches, projectName, used });
  for (const { path, content } of templates.render("chart-crds", { projectName })) scaffolded.set(path, content);
  scaffolded.set(`${crdChartDirectory}/values.yaml`, valuesYaml(fields));
  scaffolded.set(`${crdChartDirectory}/values.schema.json`, valuesSchema(fields, `Values of the chart ${chart}`));
}

function featuresOf({ objects, switches, ports, monitoring }: ChartModel) {
  return {
    switches,
    ports,
    monitoring,
    hasCrds: objects.some(({ kind }) => kind === "CustomResourceDefinition"),
    hasHelperRoles: objects.some(isHelperRole),
  };
}

/** The directories of config/ with another name in the chart. */
const directories: Readonly<Record<string, string>> = { certmanager: "cert-manager", default: "metrics" };

/** Returns the path of an object's template, as in kubebuilder's charts: `templates/rbac/manager-role.yaml`. */
function pathOf({ origin, kind, name, isManager }: ChartObject, taken: ReadonlyMap<string, string>): string {
  const [top, directory = ""] = origin.split("/");
  const conventional =
    top === "config" &&
    /^(crd|rbac|manager|webhook|certmanager|prometheus|network-policy|sharding|monitoring|default)$/.test(directory);
  const folder = conventional ? (directories[directory] ?? directory) : "extras";
  const plainName = isManager ? "manager" : name.replace(marks.namePrefix, "").replace(marks.namespace, "namespace");
  const path = (file: string) => `${chartDirectory}/templates/${folder}/${basename(file)}.yaml`;
  const free = path(plainName);
  return taken.has(free) ? path(`${plainName}-${kind.toLowerCase()}`) : free;
}
