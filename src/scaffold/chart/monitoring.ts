// The alerts and the dashboard of config/monitoring in the chart. Values install them, not the kustomizations.
import { readDocuments } from "../../yaml/plain-documents.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../../yaml/plain-values.ts";
import { defaultKustomization } from "../parts/config-options.ts";
import { mapScalars, type Node, plain } from "./nodes.ts";
import { type ChartObject, marks } from "./object.ts";

const directory = "config/monitoring";
const kustomization = `${directory}/kustomization.yaml`;
const rules = `${directory}/prometheus-rule.yaml`;
const dashboard = `${directory}/dashboard.json`;

type ReadText = (path: string) => string | undefined;

/** Whether the alerts and the dashboard are installed by default; undefined for a part that doesn't exist. */
export interface Monitoring {
  readonly rules?: boolean;
  readonly dashboard?: boolean;
}

/** Returns files of which no kustomization contains the alerts and the dashboard: kustomize would add them without a condition. */
export function withoutMonitoring(readText: ReadText): ReadText {
  return (path) => (path === kustomization && readText(path) !== undefined ? "resources: []\n" : readText(path));
}

/** Returns the default values: those of config/default, which lists the directory or doesn't. */
export function monitoringOf(readText: ReadText): Monitoring {
  const { resources } = kustomizationIn(readText);
  const isOn = listOf(resources).some((entry) => textOf(entry).replace(/\/$/, "") === "../monitoring");
  return {
    ...(readText(rules) === undefined ? {} : { rules: isOn }),
    ...(readText(dashboard) === undefined ? {} : { dashboard: isOn }),
  };
}

/**
 * Returns the objects of config/monitoring.
 *
 * @param services the names of the Services, with marks: alerts select the one of the metrics by its name
 */
export function monitoringObjects(readText: ReadText, services: readonly string[]): ChartObject[] {
  const prefix = textOf(kustomizationIn(readText).namePrefix);
  const withMarks = (text: string): string =>
    services.reduce(
      (now, service) => now.replaceAll(`"${prefix}${service.slice(marks.namePrefix.length)}"`, `"${service}"`),
      text,
    );
  const named = (node: Node): Node =>
    mapScalars(node, (value) =>
      typeof value === "string" && value !== withMarks(value) ? plain(withMarks(value)) : undefined,
    );
  const rule = fieldsOf(readDocuments(readText(rules) ?? "")[0]);
  const text = readText(dashboard);
  const { configMapGenerator } = documentIn(readText, kustomization);
  const { name, options } = fieldsOf(listOf(configMapGenerator)[0]);
  const configMap: Fields = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: textOf(name) || "controller-manager-dashboard", labels: fieldsOf(options).labels ?? {} },
    data: { "dashboard.json": text ?? "" },
  };
  return [
    ...(readText(rules) === undefined ? [] : [objectOf(rules, rule, "rules", named)]),
    ...(text === undefined ? [] : [objectOf(dashboard, configMap, "dashboard")]),
  ];
}

/** Returns an object of the release that a value installs. */
function objectOf(
  origin: string,
  object: Fields,
  value: keyof Monitoring,
  change: (node: Node) => Node = (node) => node,
): ChartObject {
  const name = `${marks.namePrefix}${textOf(fieldsOf(object.metadata).name)}`;
  const metadata = { ...fieldsOf(object.metadata), name, namespace: marks.namespace };
  const node = change(plain({ ...object, metadata }));
  return {
    origin,
    kind: textOf(object.kind),
    name,
    when: `.Values.prometheus.${value}.enabled`,
    node,
    isManager: false,
  };
}

function kustomizationIn(readText: ReadText): Fields {
  return documentIn(readText, defaultKustomization);
}

function documentIn(readText: ReadText, path: string): Fields {
  return fieldsOf(readDocuments(readText(path) ?? "")[0]);
}
