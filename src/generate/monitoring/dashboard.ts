// The Grafana dashboard of an operator.
import { createHash } from "node:crypto";
import { generatedMark } from "../output/generated-files.ts";
import type { Operator } from "./operator.ts";
import type { CustomMetric } from "./settings.ts";

interface Target {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  /** A unit of Grafana. */
  readonly unit: string;
  readonly targets: readonly Target[];
}

const place = 'job="$job",namespace="$namespace"';
const controllers = `{${place},controller=~"$controller"}`;
const all = `{${place}}`;

function quantile(share: number, metric: string, labels: string, series: string): string {
  return `histogram_quantile(${share}, sum by (${labels}, le) (rate(${metric}_bucket${series}[$__rate_interval])))`;
}

/** Returns the median and the 99th percentile of a histogram, by one label. */
function quantiles(metric: string, label: string, series: string): Target[] {
  return [0.5, 0.99].map((share) => ({
    expr: quantile(share, metric, label, series),
    legend: `{{${label}}} p${share * 100}`,
  }));
}

function rate(metric: string, labels: string, series: string): string {
  return `sum by (${labels}) (rate(${metric}${series}[$__rate_interval]))`;
}

const rows: readonly (readonly [string, readonly Panel[]])[] = [
  [
    "Reconciles",
    [
      {
        title: "Reconciles",
        unit: "ops",
        targets: [
          {
            expr: rate("controller_runtime_reconcile_total", "controller, result", controllers),
            legend: "{{controller}} {{result}}",
          },
        ],
      },
      {
        title: "Failed reconciles",
        unit: "ops",
        targets: [
          {
            expr: rate("controller_runtime_reconcile_errors_total", "controller", controllers),
            legend: "{{controller}}",
          },
        ],
      },
      {
        title: "Duration of reconciles",
        unit: "s",
        targets: quantiles("controller_runtime_reconcile_time_seconds", "controller", controllers),
      },
      {
        title: "Active workers",
        unit: "short",
        targets: [
          {
            expr: `sum by (controller) (controller_runtime_active_workers${controllers})`,
            legend: "{{controller}}",
          },
          {
            expr: `sum by (controller) (controller_runtime_max_concurrent_reconciles${controllers})`,
            legend: "{{controller}} most",
          },
        ],
      },
    ],
  ],
  [
    "Queue",
    [
      {
        title: "Length of the queue",
        unit: "short",
        targets: [{ expr: `sum by (controller) (workqueue_depth${controllers})`, legend: "{{controller}}" }],
      },
      {
        title: "Time in the queue",
        unit: "s",
        targets: quantiles("workqueue_queue_duration_seconds", "controller", controllers),
      },
      {
        title: "Additions and retries",
        unit: "ops",
        targets: ["adds", "retries"].map((name) => ({
          expr: rate(`workqueue_${name}_total`, "controller", controllers),
          legend: `{{controller}} ${name}`,
        })),
      },
      {
        title: "Longest reconcile in progress",
        unit: "s",
        targets: [
          {
            expr: `max by (controller) (workqueue_longest_running_processor_seconds${controllers})`,
            legend: "{{controller}}",
          },
        ],
      },
    ],
  ],
  [
    "API requests",
    [
      {
        title: "Requests to the API server",
        unit: "reqps",
        targets: [{ expr: rate("rest_client_requests_total", "method, code", all), legend: "{{method}} {{code}}" }],
      },
      {
        title: "Dropped events",
        unit: "ops",
        targets: [
          { expr: rate("kubewright_dropped_events_total", "kind, reason", all), legend: "{{kind}} {{reason}}" },
        ],
      },
    ],
  ],
  [
    "Webhooks",
    [
      {
        title: "Admission requests",
        unit: "reqps",
        targets: [
          {
            expr: rate("controller_runtime_webhook_requests_total", "webhook, code", all),
            legend: "{{webhook}} {{code}}",
          },
        ],
      },
      {
        title: "Duration of admission requests",
        unit: "s",
        targets: quantiles("controller_runtime_webhook_latency_seconds", "webhook", all),
      },
    ],
  ],
  [
    "Leadership",
    [
      {
        title: "Leader",
        unit: "short",
        targets: [{ expr: `leader_election_master_status${all}`, legend: "{{pod}} {{name}}" }],
      },
      {
        title: "Errors of certificates",
        unit: "short",
        targets: [
          {
            expr: `increase(certwatcher_read_certificate_errors_total${all}[$__rate_interval])`,
            legend: "{{pod}}",
          },
        ],
      },
    ],
  ],
  [
    "Process",
    [
      {
        title: "Processor time",
        unit: "percentunit",
        targets: [{ expr: `rate(process_cpu_seconds_total${all}[$__rate_interval])`, legend: "{{pod}}" }],
      },
      {
        title: "Memory",
        unit: "bytes",
        targets: [
          { expr: `process_resident_memory_bytes${all}`, legend: "{{pod}}" },
          { expr: `nodejs_heap_size_used_bytes${all}`, legend: "{{pod}} heap" },
        ],
      },
      {
        title: "Delay of the event loop",
        unit: "s",
        targets: [{ expr: `nodejs_eventloop_lag_p99_seconds${all}`, legend: "{{pod}} p99" }],
      },
    ],
  ],
];

function customPanel({ metric, type, expr, unit = "short" }: CustomMetric): Panel {
  const standard = {
    counter: rate(metric, "pod", all),
    gauge: `${metric}${all}`,
    histogram: quantile(0.9, metric, "pod", all),
  };
  return { title: metric, unit, targets: [{ expr: expr ?? standard[type], legend: "{{pod}}" }] };
}

/** Returns the dashboard as the model that Grafana imports. */
export function dashboard(operator: Operator, customMetrics: readonly CustomMetric[]): object {
  const { project, job } = operator;
  const shown = rows.filter(([title]) => title !== "Webhooks" || operator.hasWebhooks);
  const custom = customMetrics.length > 0 ? [["Custom metrics", customMetrics.map(customPanel)] as const] : [];
  const datasource = { type: "prometheus", uid: "$datasource" };
  const query = (name: string, text: string, more: object = {}) => ({
    name,
    type: "query",
    datasource,
    query: { query: text, refId: name },
    refresh: 2,
    sort: 1,
    ...more,
  });
  return {
    uid: createHash("sha256").update(`kubewright ${project}`).digest("hex").slice(0, 16),
    title: `Operator ${project}`,
    description: `${generatedMark} Changes belong into monitoring.yaml.`,
    tags: ["kubewright", project],
    editable: true,
    schemaVersion: 39,
    time: { from: "now-3h", to: "now" },
    refresh: "30s",
    templating: {
      list: [
        { name: "datasource", type: "datasource", query: "prometheus", refresh: 1 },
        query("job", "label_values(controller_runtime_max_concurrent_reconciles, job)", {
          current: { text: job, value: job },
        }),
        query("namespace", 'label_values(controller_runtime_max_concurrent_reconciles{job="$job"}, namespace)'),
        query("controller", `label_values(controller_runtime_max_concurrent_reconciles{${place}}, controller)`, {
          multi: true,
          includeAll: true,
          current: { text: "All", value: "$__all" },
        }),
      ],
    },
    panels: panelsOf([...shown, ...custom], datasource),
  };
}

/** Places the panels in two columns below the title of their row. */
function panelsOf(all: readonly (readonly [string, readonly Panel[]])[], datasource: object): object[] {
  const [width, height] = [12, 8];
  const list: object[] = [];
  let y = 0;
  for (const [title, panels] of all) {
    list.push({
      id: list.length + 1,
      type: "row",
      title,
      collapsed: false,
      gridPos: { h: 1, w: 2 * width, x: 0, y },
      panels: [],
    });
    y++;
    for (const [index, { title, unit, targets }] of panels.entries()) {
      list.push({
        id: list.length + 1,
        type: "timeseries",
        title,
        datasource,
        gridPos: { h: height, w: width, x: (index % 2) * width, y: y + Math.floor(index / 2) * height },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        targets: targets.map(({ expr, legend }, at) => ({
          refId: String.fromCharCode(65 + at),
          datasource,
          expr,
          legendFormat: legend,
        })),
      });
    }
    y += Math.ceil(panels.length / 2) * height;
  }
  return list;
}
