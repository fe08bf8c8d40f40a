import { basename } from "node:path/posix";
import type { Project } from "../../project/project-file.ts";
import type { Value } from "../../yaml/plain-values.ts";
import type { Templates } from "../templates/templates.ts";
import { isHelperRole } from "./cluster-wide.ts";
import { both } from "./conditions.ts";
import { emit } from "./emit.ts";
import { type ChartModel, type ChartObject, marks, readModel } from "./model.ts";
import { ruled } from "./rules.ts";
import { textsFor } from "./texts.ts";
import { fieldsFor, valuesSchema, valuesYaml } from "./values.ts";

/** The chart's directory in a project. */
export const chartDirectory = "chart";

/** The first line of templates that are rendered again each time. */
export const generatedMark = "{{- /* Rendered from config/ by scaffold edit --helm: changes here are lost. */ -}}";

/** The files of a chart, by path. */
export interface Chart {
  /** Templates that are determined by config/ alone. */
  readonly generated: ReadonlyMap<string, string>;
  /** Files that users change: changes since the last run are merged into them. */
  readonly scaffolded: ReadonlyMap<string, string>;
}

/**
 * Renders a project's chart from the kustomizations in its config/, which `kubectl kustomize config/default` builds too.
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
  const fields = fieldsFor({ ...featuresOf(model), manager, namespaced });
  const scaffolded = new Map(
    templates.render("chart", { projectName: chart }).map(({ path, content }) => [path, content]),
  );
  scaffolded.set(`${chartDirectory}/values.yaml`, valuesYaml(fields));
  scaffolded.set(`${chartDirectory}/values.schema.json`, valuesSchema(fields, `Values of the chart ${chart}`));
  return { generated, scaffolded };
}

function featuresOf({ objects, switches, ports }: ChartModel) {
  return {
    switches,
    ports,
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
    top === "config" && /^(crd|rbac|manager|webhook|certmanager|prometheus|network-policy|default)$/.test(directory);
  const folder = conventional ? (directories[directory] ?? directory) : "extras";
  const plainName = isManager ? "manager" : name.replace(marks.namePrefix, "").replace(marks.namespace, "namespace");
  const path = (file: string) => `${chartDirectory}/templates/${folder}/${basename(file)}.yaml`;
  const free = path(plainName);
  return taken.has(free) ? path(`${plainName}-${kind.toLowerCase()}`) : free;
}
