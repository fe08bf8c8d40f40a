import type { Alert } from "./alerts.ts";
import { secondsOf } from "./durations.ts";
import type { Operator } from "./operator.ts";
import type { Series } from "./series.ts";

/** The file of the rules for Prometheus without its operator. */
export const rulesFile = "rules.yaml";

/** Returns the groups of rules, as in a rule file of Prometheus. */
export function ruleGroups(operator: Operator, alerts: readonly Alert[]): object[] {
  const rules = alerts.map((alert) => ({
    alert: alert.name,
    annotations: annotationsOf(operator, alert),
    expr: alert.expr,
    for: alert.for,
    labels: { severity: alert.severity },
  }));
  return [{ name: operator.project, rules }];
}

/** Returns the PrometheusRule of the Prometheus Operator. */
export function prometheusRule(operator: Operator, alerts: readonly Alert[]): object {
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: {
      labels: {
        "app.kubernetes.io/managed-by": "kustomize",
        "app.kubernetes.io/name": operator.project,
        "control-plane": "controller-manager",
      },
      name: "controller-manager-alerts",
      namespace: "system",
    },
    spec: { groups: ruleGroups(operator, alerts) },
  };
}

function annotationsOf({ runbookURL }: Operator, { name, summary, description }: Alert): Record<string, string> {
  return {
    description,
    ...(runbookURL === undefined ? {} : { runbook_url: `${runbookURL}/${name}.md` }),
    summary,
  };
}

/** Returns the tests of the rules, for `promtool test rules`: for each alert, one that fires and one that doesn't. */
export function ruleTests(operator: Operator, alerts: readonly Alert[]): object {
  return {
    evaluation_interval: "1m",
    rule_files: [rulesFile],
    tests: alerts.flatMap((alert) => [test(operator, alert, true), test(operator, alert, false)]),
  };
}

/** The time in minutes that expressions need before the time in `for` begins. */
const window = 15;

function test(operator: Operator, alert: Alert, fires: boolean): object {
  const minutes = window + Math.ceil((secondsOf(alert.for) ?? 0) / 60);
  const series = fires ? alert.cases.firing : alert.cases.silent;
  const fill = (text: string) =>
    text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => alert.cases.labels[label] ?? "");
  const annotations = Object.entries(annotationsOf(operator, alert)).map(([key, text]) => [key, fill(text)]);
  const expected = {
    exp_annotations: Object.fromEntries(annotations),
    exp_labels: { ...alert.cases.labels, severity: alert.severity },
  };
  return {
    alert_rule_test: [{ alertname: alert.name, eval_time: `${minutes}m`, exp_alerts: fires ? [expected] : [] }],
    input_series: series.map((series) => ({ series: nameOf(series), values: series.values(minutes) })),
    interval: "1m",
    name: `${alert.name} ${fires ? "fires" : "doesn't fire"}`,
  };
}

function nameOf({ metric, labels }: Series): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${metric}{${pairs.join(",")}}`;
}
