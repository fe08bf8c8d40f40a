// config/monitoring/monitoring.yaml: the user's settings of the alerts and the dashboard.
import { isObject } from "../../kubernetes/json.ts";
import { type AlertSettings, alertKeys, thresholdOf } from "./alerts.ts";
import { secondsOf } from "./durations.ts";

/** A metric of the operator's own code, with the keys of kubebuilder's Grafana plugin. */
export interface CustomMetric {
  readonly metric: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly expr?: string;
  readonly unit?: string;
}

export interface Settings {
  readonly alerts: ReadonlyMap<string, AlertSettings>;
  readonly customMetrics: readonly CustomMetric[];
}

/** The name of the file. */
export const settingsFile = "monitoring.yaml";

/** The content of the file in a new project. */
export const newSettings = `# Settings of the alerts and the dashboard. The file is yours: the generator only reads it.

# Metrics of your own code, which the dashboard shows. type is counter, gauge or histogram; expr replaces the generated
# expression, and unit is one of Grafana's, such as seconds or bytes.
customMetrics: []
#  - metric: games_created_total
#    type: counter
#    unit: none

# Changes of alerts, by name: enabled, above (the threshold), for, and severity.
alerts: {}
#  HotLoop:
#    above: 50
#    for: 1h
#    severity: info
`;

const metricName = /^[A-Za-z_:][A-Za-z0-9_:]*$/;

/**
 * Checks the settings.
 *
 * @param value - the content of the file
 * @param prefix - the project's name in the names of alerts, which may be left out
 * @returns the settings, and what is wrong with them, one sentence each
 */
export function readSettings(value: unknown, prefix: string): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  const alerts = new Map<string, AlertSettings>();
  const customMetrics: CustomMetric[] = [];
  const top = objectAt(value ?? {}, "the file", ["customMetrics", "alerts"], problems);
  for (const [name, given] of Object.entries(objectAt(top.alerts ?? {}, "alerts", undefined, problems))) {
    const key = alertKeys.find((alertKey) => name === alertKey || name === prefix + alertKey);
    if (key === undefined) problems.push(`alerts.${name} isn't an alert: must be one of ${alertKeys.join(", ")}`);
    else alerts.set(key, alertAt(given, `alerts.${name}`, thresholdOf(key), problems));
  }
  if (top.customMetrics !== undefined && top.customMetrics !== null && !Array.isArray(top.customMetrics)) {
    problems.push("customMetrics must be a list");
  }
  for (const [index, given] of (Array.isArray(top.customMetrics) ? top.customMetrics : []).entries()) {
    const metric = metricAt(given, `customMetrics[${index}]`, problems);
    if (metric) customMetrics.push(metric);
  }
  return { settings: { alerts, customMetrics }, problems };
}

function alertAt(
  value: unknown,
  path: string,
  threshold: ReturnType<typeof thresholdOf>,
  problems: string[],
): AlertSettings {
  const given = objectAt(value ?? {}, path, ["enabled", "above", "for", "severity"], problems);
  const { enabled, above, severity } = given;
  if (enabled !== undefined && typeof enabled !== "boolean") problems.push(`${path}.enabled must be true or false`);
  if (above !== undefined && threshold === undefined) problems.push(`${path}.above: the alert has no threshold`);
  else if (above !== undefined && !isThreshold(above, threshold?.most)) {
    problems.push(
      `${path}.above must be a number above 0${threshold?.most === undefined ? "" : ` and below ${threshold.most}`}`,
    );
  }
  if (given.for !== undefined && (typeof given.for !== "string" || secondsOf(given.for) === undefined)) {
    problems.push(`${path}.for must be a duration such as 10m`);
  }
  if (severity !== undefined && (typeof severity !== "string" || !/^\P{Cc}+$/u.test(severity))) {
    problems.push(`${path}.severity must be a text such as warning`);
  }
  return given as AlertSettings;
}

function isThreshold(value: unknown, most = Number.POSITIVE_INFINITY): boolean {
  return typeof value === "number" && value > 0 && value < most;
}

function metricAt(value: unknown, path: string, problems: string[]): CustomMetric | undefined {
  const { metric, type, expr, unit } = objectAt(value, path, ["metric", "type", "expr", "unit"], problems);
  const before = problems.length;
  if (typeof metric !== "string" || !metricName.test(metric))
    problems.push(`${path}.metric must be the name of a metric`);
  if (type !== "counter" && type !== "gauge" && type !== "histogram") {
    problems.push(`${path}.type must be counter, gauge or histogram`);
  }
  for (const [key, text] of Object.entries({ expr, unit })) {
    if (text !== undefined && typeof text !== "string") problems.push(`${path}.${key} must be a text`);
  }
  if (problems.length > before) return undefined;
  return { metric, type, ...(expr ? { expr } : {}), ...(unit ? { unit } : {}) } as CustomMetric;
}

function objectAt(
  value: unknown,
  path: string,
  keys: readonly string[] | undefined,
  problems: string[],
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) {
    problems.push(`${path} must have keys and values`);
    return {};
  }
  for (const key of Object.keys(value)) {
    if (keys && !keys.includes(key)) problems.push(`${path}: unknown key ${key}: must be one of ${keys.join(", ")}`);
  }
  return value;
}
